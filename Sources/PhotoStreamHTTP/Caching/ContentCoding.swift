/// How an answer's bytes are compressed.
enum ContentCoding: Hashable {
    /// Not at all.
    case identity
    /// By RFC 1952.
    case gzip

    /// What tells the tags of both apart.
    var tagSuffix: String { self == .gzip ? "-gz" : "" }

    /// The best coding that a client takes.
    ///
    /// - Parameter field: `Accept-Encoding`; without it nothing is compressed.
    /// - Returns: gzip where it is accepted at least as gladly as none.
    ///
    /// Source: RFC 9110, section 12.5.3.
    static func accepted(_ field: String?) -> ContentCoding {
        guard let field else { return .identity }
        let codings = QualityList(field)
        let gzip = codings.quality(of: ["gzip", "x-gzip"]) ?? codings.quality(of: ["*"]) ?? 0
        let identity = codings.quality(of: ["identity"]) ?? 0.001
        return gzip > 0 && gzip >= identity ? .gzip : .identity
    }
}

/// A list with qualities, such as `gzip;q=0.5, *;q=0`.
///
/// Source: RFC 9110, section 12.4.2.
struct QualityList {
    /// The names in lower case with their qualities, 0 to 1.
    let entries: [(name: String, quality: Double)]

    /// Reads a field; a quality that is no number counts as 0.
    init(_ field: String) {
        entries = field.split(separator: ",").map { part in
            let pieces = part.split(separator: ";")
            let quality = pieces.dropFirst().lazy.map(\.trimmingSpaces).first { $0.lowercased().hasPrefix("q=") }
            let name = pieces.first.map { $0.trimmingSpaces.lowercased() } ?? ""
            return (name, quality.map { min(max(Double($0.dropFirst(2)) ?? 0, 0), 1) } ?? 1)
        }
    }

    /// The quality of the first of some names that the list has.
    func quality(of names: [String]) -> Double? {
        entries.first { names.contains($0.name) }?.quality
    }
}
