/// The time when a photo was taken, as precisely as its source knows it.
///
///     let time = try CaptureTime(milliseconds: 1_795_246_733_000, utcOffsetMinutes: 60, precision: .second)
///     let text = time.description  // 2026-11-21T08:38:53+01:00
///     let year = try CaptureTime(milliseconds: -2_398_291_200_000, utcOffsetMinutes: nil, precision: .year)
///     let digits = year.description  // 1894
public struct CaptureTime: Hashable, Sendable, CustomStringConvertible {
    /// The smallest unit that the source gave.
    public enum Precision: UInt8, Sendable, Comparable {
        case year = 0
        case month = 1
        case day = 2
        case minute = 3
        case second = 4
        case millisecond = 5

        /// The JSON value.
        public var name: String {
            switch self {
            case .year: "year"
            case .month: "month"
            case .day: "day"
            case .minute: "minute"
            case .second: "second"
            case .millisecond: "millisecond"
            }
        }

        /// Whether one is less precise than the other.
        public static func < (left: Precision, right: Precision) -> Bool { left.rawValue < right.rawValue }
    }

    /// The accepted local times, in milliseconds since 1970: the years 1 to 9999.
    public static let localRange: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999
    /// The accepted offsets from UTC, in minutes.
    public static let offsetRange: ClosedRange<Int> = -1_080...1_080

    /// Milliseconds since 1970 in UTC; an unknown offset counts as 0.
    public let milliseconds: Int64
    /// The local clock's offset from UTC in minutes, east positive; `nil` if the source does not give one.
    public let utcOffsetMinutes: Int?
    /// The smallest known unit; smaller units are zero (or the first month or day) in ``milliseconds``.
    public let precision: Precision

    /// Creates a time from a UTC instant.
    ///
    /// - Throws: ``ModelError`` if the local year is not 1 to 9999 or the offset exceeds 18 hours.
    public init(milliseconds: Int64, utcOffsetMinutes: Int?, precision: Precision) throws(ModelError) {
        let offset = utcOffsetMinutes ?? 0
        guard Self.offsetRange.contains(offset) else {
            throw ModelError("UTC offset of \(offset) minutes is too large")
        }
        let (local, overflow) = milliseconds.addingReportingOverflow(Int64(offset) * 60_000)
        guard !overflow, Self.localRange.contains(local) else {
            throw ModelError("time \(milliseconds) is outside the years 1 to 9999")
        }
        self.milliseconds = milliseconds
        self.utcOffsetMinutes = utcOffsetMinutes
        self.precision = precision
    }

    /// Creates a time from values that were validated before.
    @inlinable
    package init(uncheckedMilliseconds milliseconds: Int64, utcOffsetMinutes: Int?, precision: Precision) {
        self.milliseconds = milliseconds
        self.utcOffsetMinutes = utcOffsetMinutes
        self.precision = precision
    }

    /// Milliseconds since 1970 as a local clock showed them.
    public var localMilliseconds: Int64 { milliseconds + Int64(utcOffsetMinutes ?? 0) * 60_000 }

    /// The known digits in RFC 3339 form: `1894`, `1994-07`, `2026-11-21`, `2026-11-21T08:38:53+01:00`.
    ///
    /// A time of day carries its offset only if the offset is known.
    public var description: String {
        // Pages are full of times: one buffer, and no string for each part.
        unsafe String(unsafeUninitializedCapacity: Self.maximumByteCount) { unsafe write(to: $0) }
    }

    /// Returns another time of the same picture if it is more precise, or has an offset, and agrees with this one as far
    /// as this one is known; else this time.
    package func refined(by other: CaptureTime) -> CaptureTime {
        let isBetter =
            other.precision > precision || other.precision == precision && utcOffsetMinutes == nil
        guard isBetter, utcOffsetMinutes == nil || other.utcOffsetMinutes != nil,
            other.localDigits.hasPrefix(localDigits)
        else { return self }
        return other
    }

    /// The known digits of the local time.
    private var localDigits: String {
        CaptureTime(uncheckedMilliseconds: localMilliseconds, utcOffsetMinutes: nil, precision: precision).description
    }

    /// The maximum length of ``description`` in bytes.
    package static let maximumByteCount = 32

    /// Writes ``description`` as ASCII.
    ///
    /// - Parameter buffer: The destination, with room for ``maximumByteCount`` bytes.
    /// - Returns: The number of bytes written.
    package func write(to buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
        var digits = unsafe DigitWriter(buffer: buffer)
        write(to: &digits)
        return digits.count
    }

    private func write(to digits: inout DigitWriter) {
        let (days, millisecondsOfDay) = localMilliseconds.quotientAndRemainderFlooring(dividingBy: 86_400_000)
        let date = CivilDate(daysSince1970: Int(days))
        digits.append(date.year, width: 4)
        if precision >= .month { digits.append(date.month, width: 2, after: "-") }
        if precision >= .day { digits.append(date.day, width: 2, after: "-") }
        guard precision >= .minute else { return }
        let time = Int(millisecondsOfDay)
        digits.append(time / 3_600_000, width: 2, after: "T")
        digits.append(time / 60_000 % 60, width: 2, after: ":")
        if precision >= .second { digits.append(time / 1_000 % 60, width: 2, after: ":") }
        if precision >= .millisecond { digits.append(time % 1_000, width: 3, after: ".") }
        guard let minutes = utcOffsetMinutes else { return }
        guard minutes != 0 else { return digits.append("Z") }
        digits.append(abs(minutes) / 60, width: 2, after: minutes < 0 ? "-" : "+")
        digits.append(abs(minutes) % 60, width: 2, after: ":")
    }
}

/// Writes fixed-width numbers into a buffer that is large enough.
@safe private struct DigitWriter {
    let buffer: UnsafeMutableBufferPointer<UInt8>
    private(set) var count = 0

    init(buffer: UnsafeMutableBufferPointer<UInt8>) {
        unsafe self.buffer = buffer
    }

    mutating func append(_ separator: Unicode.Scalar) {
        unsafe buffer[count] = UInt8(ascii: separator)
        count += 1
    }

    mutating func append(_ number: Int, width: Int, after separator: Unicode.Scalar) {
        append(separator)
        append(number, width: width)
    }

    mutating func append(_ number: Int, width: Int) {
        var rest = number
        for place in stride(from: count + width - 1, through: count, by: -1) {
            unsafe buffer[place] = UInt8(ascii: "0") + UInt8(rest % 10)
            rest /= 10
        }
        count += width
    }
}

extension Int64 {
    /// Divides rounding down, so that the remainder is never negative.
    func quotientAndRemainderFlooring(dividingBy divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
