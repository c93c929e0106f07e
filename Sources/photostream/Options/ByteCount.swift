import ArgumentParser

/// A number of bytes as a person writes it: `268435456`, `512MB`, `1 GB`.
struct ByteCount: ExpressibleByArgument {
    /// The number, not negative.
    let bytes: Int64

    /// Reads a whole number with an optional unit, each 1,024 of the one before.
    ///
    /// - Returns: `nil` for anything else, and for more than 63 bits hold.
    init?(argument: String) {
        let text = argument.uppercased()
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let unit = text.dropFirst(digits.count).drop { $0 == " " }
        guard let number = Int64(digits), let shift = Self.shifts[String(unit)] else { return nil }
        let (bytes, isTooMuch) = number.multipliedReportingOverflow(by: 1 << shift)
        guard !isTooMuch else { return nil }
        self.bytes = bytes
    }

    private static let shifts: [String: Int64] = [
        "": 0, "B": 0, "KB": 10, "KIB": 10, "MB": 20, "MIB": 20, "GB": 30, "GIB": 30,
    ]
}
