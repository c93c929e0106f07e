/// The order of a stream's photos.
///
/// It is chosen when the stream is created and never changes.
///
/// Every order reads descending by ``OrderKey``. Photos with equal times keep the order of their import, in every
/// order.
public enum StreamOrder: String, Hashable, Sendable, CaseIterable {
    /// By capture time, the latest first; undated photos come last.
    case newest
    /// By capture time, the earliest first; undated photos come last.
    case oldest
    /// By order of import. Only a move changes a place; a capture time never does.
    case manual

    /// Reads the number stored in the file; `nil` for any other.
    package init?(stored number: Int64) {
        guard let order = Self.allCases.first(where: { $0.stored == number }) else { return nil }
        self = order
    }

    /// The number stored in the file.
    package var stored: Int64 {
        switch self {
        case .newest: 0
        case .oldest: 1
        case .manual: 2
        }
    }

    /// The order for display, such as `newest first`.
    public var words: String {
        switch self {
        case .newest: "newest first"
        case .oldest: "oldest first"
        case .manual: "in manual order"
        }
    }

    /// Returns the order time of a photo that was never moved.
    ///
    /// - Parameter time: The photo's capture time.
    /// - Returns: Four times the local milliseconds plus the precision (2 day or better, 1 month, 0 year), negated in
    ///   ``oldest``; ``OrderKey/undatedTime`` without a time; 0 in ``manual``.
    public func orderTime(of time: CaptureTime?) -> Int64 {
        guard self != .manual else { return 0 }
        guard let time else { return OrderKey.undatedTime }
        let value = 4 * time.localMilliseconds + Int64(min(time.precision, .day).rawValue)
        return self == .oldest ? -value : value
    }

    /// Returns the date that an order time represents in this order.
    ///
    /// - Parameter time: Any order time; another program may have written it.
    /// - Returns: The date; ``OrderDate/undated`` for ``OrderKey/undatedTime``; ``OrderDate/unordered`` in ``manual``.
    public func date(ofOrderTime time: Int64) -> OrderDate {
        guard self != .manual else { return .unordered }
        guard time != OrderKey.undatedTime else { return .undated }
        return OrderDate(dateTime: self == .oldest ? -time : time)
    }
}

/// A place in the order of a stream: order time, then rank.
///
/// Stream order is *descending* by this key: the greatest key comes first. No two photos of a stream share a key.
public struct OrderKey: Hashable, Comparable, Sendable {
    /// The order time of a photo without a date.
    ///
    /// It is the least value, so undated photos come last.
    public static let undatedTime = Int64.min
    /// The minimum distance between the ranks of photos that were never moved: room for 2^20 - 1 moved photos between
    /// two.
    ///
    /// The rank of a photo that was never moved is its row id times minus this step, so that, among photos with equal
    /// times, the one imported first comes first.
    public static let rankStep: Int64 = 1 << 20

    /// The order time, or ``undatedTime``: see ``StreamOrder/orderTime(of:)``.
    public let time: Int64
    /// The rank among photos with the same time.
    public let rank: Int64

    /// Creates a key.
    public init(time: Int64, rank: Int64) {
        self.time = time
        self.rank = rank
    }

    /// Whether it is the place of a photo that was moved, or whose rank made room for a moved one.
    package var isOfMove: Bool { rank % Self.rankStep != 0 }

    /// Whether one key is less than the other.
    public static func < (left: OrderKey, right: OrderKey) -> Bool {
        left.time != right.time ? left.time < right.time : left.rank < right.rank
    }
}
