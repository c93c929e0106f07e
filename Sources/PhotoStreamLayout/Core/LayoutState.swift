/// The state of a layout between two photos, relative to its own origin.
///
/// The origin is the earliest start of the next item; it moves down the content, the state does not. Two folds with
/// equal states place all following items alike, regardless of their origins. This keeps a stored chunk of frames valid
/// after an edit above it, and a page cursor carries such a state.
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

    /// The algorithm's own part, in its own type.
    ///
    /// - Precondition: The state belongs to a layout of that algorithm.
    @inline(__always)
    func of<State: AlgorithmState>(_ type: State.Type) -> State {
        guard let state = content.state as? State else { preconditionFailure("a state of another layout") }
        return state
    }

    /// Replaces the algorithm's own part.
    mutating func set(_ algorithm: some AlgorithmState) { content = algorithm.content }

    /// Removes the pending items.
    mutating func dropPending() { content = content.state.withoutPending.content }

    /// The state as bytes, at most about 1 KB; with optimal breaks, a few bytes for each photo of the open lines.
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
/// Indirect, so that a copy is a reference.
indirect enum StateContent: Hashable, Sendable {
    /// The fronts of columns.
    case masonry(MasonryState)
    /// The number of cells in the open line.
    case cells(CellState)
    /// The open line.
    case line(OpenLine)
    /// The items whose breaks are not decided.
    case breaks(OpenBreaks)
    /// The number of photos without a position.
    case map(MapState)
    /// The bytes of a placement rule.
    case placed(PlacedState)

    /// The state as an existential, for use once per chunk.
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
    /// Reads a state of this layout from the bytes of ``LayoutState/encoded``.
    ///
    /// - Throws: ``LayoutError/invalidState`` if the bytes are not a state of this layout.
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
