/// All that a layout remembers between two photos, relative to its own origin.
///
/// The origin is where the next item could begin; it moves down the content, the state does not. Two folds that reach
/// equal states place everything after them alike, whatever their origins: that is what lets a stored chunk of frames
/// stay valid after an edit above it, and what a page cursor carries.
public struct LayoutState: Hashable, Sendable {
    /// What the open section's photos have in common, or `nil` before the first section.
    var sectionMark: SectionMark?
    /// Whether the open section has an item.
    var hasItems: Bool
    /// What the algorithm remembers.
    var algorithm: any AlgorithmState

    /// The number of photos before it that are not placed yet: those of open lines.
    public var pendingCount: Int { algorithm.pendingCount }

    /// What the algorithm remembers, as a type that only its own layout knows.
    ///
    /// - Precondition: The state belongs to a layout of that algorithm.
    func of<State: AlgorithmState>(_ type: State.Type) -> State {
        guard let state = algorithm as? State else { preconditionFailure("a state of another layout") }
        return state
    }

    /// Whether two layouts remember the same.
    public static func == (left: LayoutState, right: LayoutState) -> Bool {
        left.sectionMark == right.sectionMark && left.hasItems == right.hasItems
            && left.algorithm.isEqual(to: right.algorithm)
    }

    /// Hashes the state.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(sectionMark)
        hasher.combine(hasItems)
        algorithm.hash(into: &hasher)
    }
}

extension LayoutState {
    /// The state as bytes, at most about 1 KB; with optimal breaks a few for each photo of the lines that are open.
    ///
    /// A section's mark, whether it has items, then what the algorithm remembers, all as variable-length integers.
    public var encoded: [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendVariableLength(sectionMark.map { UInt64($0.rawValue) + 1 } ?? 0)
        bytes.appendVariableLength(hasItems ? 1 : 0)
        algorithm.encode(into: &bytes)
        return bytes
    }
}

extension LayoutEngine {
    /// Reads a state of this layout.
    ///
    /// - Parameter bytes: What ``LayoutState/encoded`` returned.
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
