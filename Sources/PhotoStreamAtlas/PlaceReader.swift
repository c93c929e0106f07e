import Foundation

/// Reads the parts of the form of places; each function returns `nil` if the bytes end, or are not in this form.
struct PlaceReader {
    /// A country: its letters and its name.
    typealias Country = (code: String, name: String)

    private let bytes: [UInt8]
    private var offset = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Whether all bytes are read.
    var isAtEnd: Bool { offset == bytes.count }

    mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, count <= bytes.count - offset else { return nil }
        defer { offset += count }
        return bytes[offset..<(offset + count)]
    }

    /// Reads a number of at most 28 bits.
    mutating func number() -> Int? {
        var value = 0
        for shift in stride(from: 0, to: 28, by: 7) {
            guard let byte = bytes(1)?.first else { return nil }
            value |= Int(byte & 127) << shift
            if byte < 128 { return value }
        }
        return nil
    }

    /// Reads a number of parts, for which there are bytes enough.
    mutating func count(ofAtLeast size: Int) -> Int? {
        guard let count = number(), count <= (bytes.count - offset) / size else { return nil }
        return count
    }

    mutating func countries() -> [Country]? {
        guard let count = count(ofAtLeast: 3) else { return nil }
        var countries: [Country] = []
        for _ in 0..<count {
            guard let code = text(2), let length = number(), let name = text(length) else { return nil }
            countries.append((code, name))
        }
        return countries
    }

    mutating func place(named name: String, of countries: [Country]) -> Place? {
        guard let head = bytes(7).map(Array.init), Int(head[0]) < countries.count else { return nil }
        let position = head[2...].reduce(0) { $0 << 8 | Int($1) }
        // The middle of the cell that the numbers name, which is 20 metres high.
        func rounded(_ degrees: Double) -> Double { (degrees * 10_000).rounded() / 10_000 }
        let (x, y) = (Double(position >> 20) + 0.5, Double(position & 0xF_FFFF) + 0.5)
        let country = countries[Int(head[0])]
        return Place(
            name: name, countryCode: country.code, country: country.name,
            latitude: rounded(y / 0x10_0000 * 180 - 90), longitude: rounded(x / 0x10_0000 * 360 - 180),
            population: Int(exp2(Double(head[1]) / 8)))
    }

    private mutating func text(_ count: Int) -> String? {
        bytes(count).flatMap { String(validating: $0, as: UTF8.self) }
    }
}
