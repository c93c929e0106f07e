/// Consecutive photos after changes of a stream, and where they stood before.
public struct ItemRun: Hashable, Sendable {
    /// The position of the first in stream order before; `nil` for photos that are new.
    public var old: Int?
    /// The number of photos.
    public var count: Int
    /// Whether those that were there before have other metrics, or are to be drawn again for another reason.
    public var isReplaced: Bool

    /// Creates a run.
    ///
    /// - Precondition: `count` is not negative.
    public init(old: Int?, count: Int, isReplaced: Bool = false) {
        precondition(count >= 0, "a run has no negative count")
        (self.old, self.count, self.isReplaced) = (old, count, isReplaced)
    }

    /// A part of it.
    func part(_ range: Range<Int>) -> ItemRun {
        ItemRun(old: old.map { $0 + range.lowerBound }, count: range.count, isReplaced: isReplaced)
    }

    /// Whether another run goes on where this one ends, in both orders.
    func isContinued(by next: ItemRun) -> Bool {
        next.isReplaced == isReplaced && (old == nil ? next.old == nil : next.old == old.map { $0 + count })
    }
}
