import ArgumentParser

/// A number of bytes as a person writes it: `268435456`, `512MB`, `1 GB`.
struct ByteCount {
    /// The number, not negative.
    let bytes: Int64

    /// Reads a whole number with an optional unit, each 1,024 of the one before.
    ///
    /// - Throws: `ValidationError` that says what is allowed, for anything else and for more than 63 bits hold.
    init(_ text: String) throws {
        let text = text.uppercased()
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let unit = text.dropFirst(digits.count).drop { $0 == " " }
        guard !digits.isEmpty, let shift = Self.shifts[String(unit)] else {
            throw ValidationError("bytes are a whole number from 0, alone or with KB, MB or GB, such as 512MB")
        }
        let (bytes, isTooMuch) = (Int64(digits) ?? .max).multipliedReportingOverflow(by: 1 << shift)
        guard Int64(digits) != nil, !isTooMuch else {
            throw ValidationError("that is more than \(Int64.max) bytes")
        }
        self.bytes = bytes
    }

    private static let shifts: [String: Int64] = [
        "": 0, "B": 0, "KB": 10, "KIB": 10, "MB": 20, "MIB": 20, "GB": 30, "GIB": 30,
    ]
}
