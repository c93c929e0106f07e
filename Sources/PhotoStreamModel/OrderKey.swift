/// A place in the order of a stream: order time, then order rank.
///
/// Stream order is *descending* by this key, so the greatest key stands first. No two photos of a stream share one.
public struct OrderKey: Hashable, Comparable, Sendable {
    /// The order time of a photo without a date: the least value, so that undated photos come last.
    public static let undatedTime = Int64.min
    /// Rank of a photo that was never moved, per row id: room for 2^20 - 1 moved photos beside each.
    public static let rankStep: Int64 = 1 << 20

    /// Local wall-clock milliseconds since 1970, or ``undatedTime``.
    public let time: Int64
    /// The rank among photos of one time.
    public let rank: Int64

    /// Creates a key.
    public init(time: Int64, rank: Int64) {
        self.time = time
        self.rank = rank
    }

    /// The day of the time in days since 1970, or `nil` where there is none.
    public var day: Int? {
        time == Self.undatedTime ? nil : Int(time.quotientAndRemainderFlooring(dividingBy: 86_400_000).quotient)
    }

    /// Whether one lies before the other in ascending order.
    public static func < (left: OrderKey, right: OrderKey) -> Bool {
        left.time != right.time ? left.time < right.time : left.rank < right.rank
    }
}
