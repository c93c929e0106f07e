/// All that a layout remembers between two photos, relative to its own origin.
///
/// The origin is where the next item could begin; it moves down the content, the state does not. Two folds that reach
/// equal states place everything after them alike, whatever their origins: that is what lets a stored chunk of frames
/// stay valid after an edit above it, and what a page cursor carries.
public struct LayoutState: Hashable, Sendable {
    /// The key of the open section, or `nil` before the first section.
    var sectionMark: SectionMark?
    /// Whether the open section has an item.
    var hasItems: Bool
    /// The algorithm's own part.
    private var storage: any StateStorage

    init(sectionMark: SectionMark?, hasItems: Bool, algorithm: some AlgorithmState) {
        self.sectionMark = sectionMark
        self.hasItems = hasItems
        storage = StateBox(algorithm)
    }

    /// The number of photos before it that are not placed yet: those of open lines.
    public var pendingCount: Int { storage.pendingCount }

    /// The algorithm's own part, as a type that only its layout knows.
    ///
    /// - Precondition: The state belongs to a layout of that algorithm.
    @inline(__always)
    func of<State: AlgorithmState>(_ type: State.Type) -> State {
        guard let state = known(as: type) else { preconditionFailure("a state of another layout") }
        return state
    }

    /// The algorithm's own part as a type; `nil` where it is of another.
    @inline(__always)
    func known<State: AlgorithmState>(as type: State.Type) -> State? { (storage as? StateBox<State>)?.state }

    /// Replaces the algorithm's own part.
    mutating func set(_ algorithm: some AlgorithmState) { storage = StateBox(algorithm) }

    /// Leaves out the items that are pending.
    mutating func dropPending() { storage = storage.withoutPending }

    /// Whether two layouts remember the same.
    public static func == (left: LayoutState, right: LayoutState) -> Bool {
        left.sectionMark == right.sectionMark && left.hasItems == right.hasItems
            && (left.storage === right.storage || left.storage.isEqual(to: right.storage))
    }

    /// Hashes the state.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(sectionMark)
        hasher.combine(hasItems)
        storage.hash(into: &hasher)
    }

    /// The state as bytes, at most about 1 KB; with optimal breaks a few for each photo of the lines that are open.
    ///
    /// A section's mark, whether it has items, then the algorithm's own part, all as variable-length integers.
    public var encoded: [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendVariableLength(sectionMark.map { UInt64($0.rawValue) + 1 } ?? 0)
        bytes.appendVariableLength(hasItems ? 1 : 0)
        storage.encode(into: &bytes)
        return bytes
    }
}

/// The state of an algorithm of any type, as a reference, whose type is compared faster than that of a value.
private protocol StateStorage: AnyObject, Sendable {
    var pendingCount: Int { get }
    var withoutPending: any StateStorage { get }
    func encode(into bytes: inout [UInt8])
    func isEqual(to other: any StateStorage) -> Bool
    func hash(into hasher: inout Hasher)
}

private final class StateBox<State: AlgorithmState>: StateStorage {
    let state: State

    init(_ state: State) {
        self.state = state
    }

    var pendingCount: Int { state.pendingCount }
    var withoutPending: any StateStorage { StateBox(state.withoutPending) }
    func encode(into bytes: inout [UInt8]) { state.encode(into: &bytes) }
    func isEqual(to other: any StateStorage) -> Bool { (other as? StateBox)?.state == state }
    func hash(into hasher: inout Hasher) { state.hash(into: &hasher) }
}

extension LayoutEngine {
    /// Reads a state of this layout.
    ///
    /// - Parameter bytes: The bytes of ``LayoutState/encoded``.
    /// - Returns: The state.
    /// - Throws: ``LayoutError/invalidState`` when the bytes are not a state of this layout.
    public func state(decoding bytes: some Collection<UInt8>) throws(LayoutError) -> LayoutState {
        try algorithm.layoutState(decoding: Array(bytes))
    }
}

extension LayoutAlgorithm {
    fileprivate func layoutState(decoding bytes: [UInt8]) throws(LayoutError) -> LayoutState {
        var rest = bytes[...]
        guard let number = rest.popVariableLength(), number <= UInt64(SectionMark.greatest) + 1,
            let hasItems = rest.popVariableLength(), hasItems <= 1
        else { throw .invalidState }
        let mark = number == 0 ? nil : SectionMark(rawValue: Int64(number) - 1)
        let state = try state(decoding: &rest)
        guard rest.isEmpty, isValid(state, sectionMark: mark, hasItems: hasItems == 1) else { throw .invalidState }
        return LayoutState(sectionMark: mark, hasItems: hasItems == 1, algorithm: state)
    }
}
