/// All that a layout remembers between two photos, relative to its own origin.
///
/// The origin is where the next item could begin; it moves down the content, the state does not. Two folds that meet in
/// equal states place everything behind alike, whatever their origins: that is what lets a stored chunk of frames stay
/// valid after an edit above it, and what a page cursor carries.
public struct LayoutState: Hashable, Sendable {
    /// What the open section's photos have in common, or `nil` before the first section.
    var sectionMark: SectionMark?
    /// Whether the open section has an item.
    var hasItems: Bool
    /// What the algorithm remembers.
    var algorithm: AlgorithmState

    /// How many photos before it are not placed yet: those of open lines.
    public var pendingCount: Int { algorithm.pendingCount }
}

/// What an algorithm remembers between two items of a section.
enum AlgorithmState: Hashable, Sendable {
    case masonry(MasonryState)
    case line(OpenLine)
    /// The undecided lines of a justified layout with optimal breaks.
    case breaks(OpenBreaks)
    /// How many items the open line of uniform cells has.
    case cells(Int)
    /// Of a map, whose fold remembers nothing, a cursor: how many photos before it have no position.
    case map(Int)
    /// What a layout of somebody's own remembers.
    case custom([UInt8])

    var pendingCount: Int {
        switch self {
        case .line(let line): line.count
        case .breaks(let breaks): breaks.items.count
        case .masonry, .cells, .map, .custom: 0
        }
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
        switch algorithm {
        case .masonry(let state): state.encode(into: &bytes)
        case .line(let line): line.encode(into: &bytes)
        case .breaks(let breaks): breaks.encode(into: &bytes)
        case .cells(let count): bytes.appendVariableLength(UInt64(count))
        case .map(let count): bytes.appendVariableLength(UInt64(count))
        case .custom(let rest): bytes += rest
        }
        return bytes
    }
}

extension LayoutEngine {
    /// Reads a state of this layout.
    ///
    /// - Parameter bytes: What ``LayoutState/encoded`` gave.
    /// - Returns: The state.
    /// - Throws: ``LayoutError/invalidState`` when the bytes are no state of this layout.
    public func state(decoding bytes: some Collection<UInt8>) throws(LayoutError) -> LayoutState {
        var rest = Array(bytes)[...]
        guard let mark = rest.popVariableLength(), mark <= UInt64(SectionMark.greatest) + 1,
            let hasItems = rest.popVariableLength(), hasItems <= 1
        else { throw .invalidState }
        let algorithm: AlgorithmState
        switch initialState.algorithm {
        case .masonry(let initial):
            algorithm = .masonry(try MasonryState(decoding: &rest, columnCount: initial.fronts.count))
        case .line: algorithm = .line(try OpenLine(decoding: &rest))
        case .breaks: algorithm = .breaks(try OpenBreaks(decoding: &rest))
        case .cells:
            guard case .uniform(let cells) = kernel, let count = rest.popVariableLength(),
                count < UInt64(cells.lineLength)
            else { throw .invalidState }
            algorithm = .cells(Int(count))
        case .map:
            guard let count = rest.popVariableLength(), count < 1 << 40, mark == 0, hasItems == 0
            else { throw .invalidState }
            algorithm = .map(Int(count))
        case .custom:
            guard let custom, custom.isRest(Array(rest)) else { throw .invalidState }
            algorithm = .custom(Array(rest))
            rest = []
        }
        guard rest.isEmpty else { throw .invalidState }
        return LayoutState(
            sectionMark: mark == 0 ? nil : SectionMark(rawValue: Int64(mark) - 1), hasItems: hasItems == 1,
            algorithm: algorithm)
    }
}
