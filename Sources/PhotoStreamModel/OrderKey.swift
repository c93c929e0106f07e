/// A place in the order of a stream: order time, then order rank.
///
/// Stream order is *descending* by this key, so the greatest key stands first. No two photos of a stream share one.
public struct OrderKey: Hashable, Comparable, Sendable {
    /// The order time of a photo without a date: the least value, so that undated photos come last.
    public static let undatedTime = Int64.min
    /// What the ranks of photos that were never moved differ by at least: room for 2^20 - 1 moved photos beside each.
    ///
    /// The rank of a photo that was never moved is minus this for each row id, so that of equal times the one imported first
    /// comes first.
    public static let rankStep: Int64 = 1 << 20

    /// The order time, or ``undatedTime``: see ``StreamOrder/orderTime(of:)``.
    public let time: Int64
    /// The rank among photos of one time.
    public let rank: Int64

    /// Creates a key.
    public init(time: Int64, rank: Int64) {
        self.time = time
        self.rank = rank
    }

    /// Whether one lies before the other in ascending order.
    public static func < (left: OrderKey, right: OrderKey) -> Bool {
        left.time != right.time ? left.time < right.time : left.rank < right.rank
    }
}
