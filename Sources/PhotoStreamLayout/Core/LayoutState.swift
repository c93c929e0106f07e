/// All that a layout remembers between two photos, relative to its own origin.
///
/// The origin is where the next item could begin; it moves down the content, the state does not. Two folds that reach
/// equal states place everything after them alike, whatever their origins: that is what lets a stored chunk of frames
/// stay valid after an edit above it, and what a page cursor carries.
public struct LayoutState: Hashable, Sendable {
    /// The key of the open section, or `nil` before the first section.
    public internal(set) var sectionMark: SectionMark?
    /// Whether the open section has an item.
    var hasItems: Bool
    /// The algorithm's own part.
    private var content: StateContent

    init(sectionMark: SectionMark?, hasItems: Bool, algorithm: some AlgorithmState) {
        self.sectionMark = sectionMark
        self.hasItems = hasItems
        content = algorithm.content
    }

    /// The number of photos before it that are not placed yet: those of open lines.
    public var pendingCount: Int { content.state.pendingCount }

    /// The algorithm's own part, as a type that only its layout knows.
    ///
    /// - Precondition: The state belongs to a layout of that algorithm.
    @inline(__always)
    func of<State: AlgorithmState>(_ type: State.Type) -> State {
        guard let state = content.state as? State else { preconditionFailure("a state of another layout") }
        return state
    }

    /// Replaces the algorithm's own part.
    mutating func set(_ algorithm: some AlgorithmState) { content = algorithm.content }

    /// Leaves out the items that are pending.
    mutating func dropPending() { content = content.state.withoutPending.content }

    /// The state as bytes, at most about 1 KB; with optimal breaks a few for each photo of the lines that are open.
    ///
    /// A section's mark, whether it has items, then the algorithm's own part, all as variable-length integers.
    public var encoded: [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendVariableLength(sectionMark.map { UInt64($0.rawValue) + 1 } ?? 0)
        bytes.appendVariableLength(hasItems ? 1 : 0)
        content.state.encode(into: &bytes)
        return bytes
    }
}

/// The state of an algorithm: one case for each kind of state.
///
/// Indirect, so that states are copied as references.
indirect enum StateContent: Hashable, Sendable {
    /// The fronts of columns.
    case masonry(MasonryState)
    /// The number of cells in the open line.
    case cells(CellState)
    /// The open line.
    case line(OpenLine)
    /// The items whose breaks are not decided.
    case breaks(OpenBreaks)
    /// A number of photos.
    case map(MapState)
    /// The bytes of a placement rule.
    case placed(PlacedState)

    /// The state as a value of any type: for what is asked once for a chunk.
    var state: any AlgorithmState {
        switch self {
        case .masonry(let state): state
        case .cells(let state): state
        case .line(let state): state
        case .breaks(let state): state
        case .map(let state): state
        case .placed(let state): state
        }
    }
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
