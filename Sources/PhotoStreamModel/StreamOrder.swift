/// The order of a stream's photos, chosen once, when the stream is created.
///
/// Every order is read descending by ``OrderKey``. Of photos of one time the one imported first comes first, in every order.
public enum StreamOrder: String, Hashable, Sendable, CaseIterable {
    /// By capture time, the latest first; undated photos come last.
    case newest
    /// By capture time, the earliest first; undated photos come last.
    case oldest
    /// As imported, changed by moves only; a capture time never changes a place.
    case manual

    /// Reads the number that the file holds; `nil` for any other.
    package init?(stored number: Int64) {
        switch number {
        case 0: self = .newest
        case 1: self = .oldest
        case 2: self = .manual
        default: return nil
        }
    }

    /// The number that the file holds.
    package var stored: Int64 {
        switch self {
        case .newest: 0
        case .oldest: 1
        case .manual: 2
        }
    }

    /// The order in words, such as `newest first`.
    public var words: String {
        switch self {
        case .newest: "newest first"
        case .oldest: "oldest first"
        case .manual: "in manual order"
        }
    }

    /// The order time of a photo that was never moved.
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

    /// The date that an order time of a stream in this order stands for.
    ///
    /// - Parameter time: Any order time, whoever wrote it.
    /// - Returns: The date; ``OrderDate/undated`` for ``OrderKey/undatedTime``; ``OrderDate/unordered`` in ``manual``.
    public func date(ofOrderTime time: Int64) -> OrderDate {
        guard self != .manual else { return .unordered }
        guard time != OrderKey.undatedTime else { return .undated }
        return OrderDate(dateTime: self == .oldest ? -time : time)
    }
}
