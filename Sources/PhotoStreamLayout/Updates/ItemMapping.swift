import PhotoStreamModel

/// A mapping between the positions of photos before and after edits.
///
///     let mapping = ItemMapping([.delete(0..<2), .move(5..<6, to: 0)], itemCount: 10)
///     let position = mapping.newIndex(of: 7)  // 0
///     let former = mapping.oldIndex(of: 1)  // 2
///     let isGone = mapping.newIndex(of: 0) == nil  // true
///
/// The edits define a photo's identity: one that is moved or replaced is still the same, one that is deleted and
/// inserted is another.
public struct ItemMapping: Hashable, Sendable {
    /// Runs of photos in the new order.
    private var runs: [ItemRun] = []
    /// The start of each run in the new order, and the end of all.
    private var starts: [Int] = []
    /// The positions of runs of old photos, by their old positions.
    private var runsByOld: [Int] = []

    /// Creates the mapping of edits in order, on a stream of `count` photos.
    ///
    /// - Precondition: All positions are inside the stream.
    /// - Complexity: O(edits²) at worst.
    public init(_ edits: [ItemEdit], itemCount count: Int) {
        runs = count > 0 ? [ItemRun(old: 0, count: count)] : []
        for edit in edits { apply(edit) }
        index()
    }

    /// Creates a mapping from the old positions of all photos: for large changes, for which single edits would take
    /// long.
    ///
    /// - Parameter runs: All photos in the new order. Old positions in no run are those of removed photos.
    /// - Precondition: No old photo is in two runs.
    /// - Complexity: O(runs × log runs).
    public init(runs: some Sequence<ItemRun>) {
        for run in runs where run.count > 0 {
            if let last = self.runs.last, last.isContinued(by: run) {
                self.runs[self.runs.count - 1].count += run.count
            } else {
                self.runs.append(run)
            }
        }
        index()
    }

    private mutating func index() {
        starts = runs.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
        runsByOld = runs.indices.filter { runs[$0].old != nil }.sorted { (runs[$0].old ?? 0) < (runs[$1].old ?? 0) }
    }

    private mutating func apply(_ edit: ItemEdit) {
        switch edit {
        case .insert(let items, let index, _):
            if items.count > 0 { runs.insert(ItemRun(old: nil, count: items.count), at: cut(at: index)) }
        case .delete(let range): _ = take(range)
        case .move(let range, let index, _):
            let moved = take(range)
            runs.insert(contentsOf: moved, at: cut(at: index))
        case .replace(let items, let index):
            let first = cut(at: index)
            for run in first..<cut(at: index + items.count) { runs[run].isReplaced = true }
        case .insertSection, .deleteSection: break
        }
    }

    /// Removes photos.
    private mutating func take(_ range: Range<Int>) -> [ItemRun] {
        let first = cut(at: range.lowerBound)
        let part = first..<cut(at: range.upperBound)
        defer { runs.removeSubrange(part) }
        return Array(runs[part])
    }

    /// Splits the runs so that one begins at a position, and returns its index.
    private mutating func cut(at index: Int) -> Int {
        var rest = index
        for (position, run) in runs.enumerated() {
            if rest == 0 { return position }
            if rest < run.count {
                runs.replaceSubrange(position...position, with: [run.part(0..<rest), run.part(rest..<run.count)])
                return position + 1
            }
            rest -= run.count
        }
        precondition(rest == 0, "an edit outside the stream")
        return runs.count
    }

    /// The old position of a photo, given its new position; `nil` for a new photo.
    ///
    /// - Complexity: O(log edits).
    public func oldIndex(of index: Int) -> Int? {
        run(of: index).flatMap { run in runs[run].old.map { $0 + index - starts[run] } }
    }

    /// The new position of a photo, given its old position; `nil` for a removed photo.
    ///
    /// - Complexity: O(log edits).
    public func newIndex(of index: Int) -> Int? {
        let next = runsByOld.partitioningIndex { (runs[$0].old ?? 0) > index }
        guard next > 0, let old = runs[runsByOld[next - 1]].old, index - old < runs[runsByOld[next - 1]].count
        else { return nil }
        return starts[runsByOld[next - 1]] + index - old
    }

    /// Whether an edit has replaced the metrics of the photo at a new position.
    ///
    /// - Complexity: O(log edits).
    public func isReplaced(_ index: Int) -> Bool {
        run(of: index).map { runs[$0].isReplaced && runs[$0].old != nil } ?? false
    }

    private func run(of index: Int) -> Int? {
        let run = starts.partitioningIndex { $0 > index } - 1
        return runs.indices.contains(run) ? run : nil
    }
}

/// Consecutive photos after changes of a stream, with their old positions.
public struct ItemRun: Hashable, Sendable {
    /// The old position of the first photo; `nil` for new photos.
    public var old: Int?
    /// The number of photos.
    public var count: Int
    /// Whether old photos have new metrics, or must be drawn again for another reason.
    public var isReplaced: Bool

    /// Creates a run.
    ///
    /// - Precondition: `count` is not negative.
    public init(old: Int?, count: Int, isReplaced: Bool = false) {
        precondition(count >= 0, "a run has no negative count")
        (self.old, self.count, self.isReplaced) = (old, count, isReplaced)
    }

    /// The photos at a range of positions from the run's first.
    func part(_ range: Range<Int>) -> ItemRun {
        ItemRun(old: old.map { $0 + range.lowerBound }, count: range.count, isReplaced: isReplaced)
    }

    /// Whether another run continues this one in both orders.
    func isContinued(by next: ItemRun) -> Bool {
        next.isReplaced == isReplaced && (old == nil ? next.old == nil : next.old == old.map { $0 + count })
    }
}
