import CZlib
import PhotoStreamWire

/// Media types, and the choice of the form of an answer.
///
/// Source: RFC 9110, section 12.5.1.
enum MediaTypes {
    static let json = "application/json"
    static let jsonLines = "application/jsonl"
    /// JSON Lines under its other name.
    static let ndjson = "application/x-ndjson"
    /// Cells separated by commas.
    static let csv = "text/csv"
    static let bytes = "application/octet-stream"
    /// A change to a JSON document.
    ///
    /// Source: RFC 7396.
    static let mergePatch = "application/merge-patch+json"
    /// Server-sent events.
    ///
    /// Source: the HTML standard.
    static let eventStream = "text/event-stream"
    static let html = "text/html"
    /// A web app manifest.
    static let manifest = "application/manifest+json"
    /// The frames of photos as fixed-width numbers.
    static let binary = BinaryFrames.mediaType

    /// Returns the form that a client prefers.
    ///
    /// - Parameters:
    ///   - field: `Accept`; without it, the client accepts any form.
    ///   - offered: The available forms, the default first.
    /// - Returns: `nil` if the client accepts none of them; in a tie, the first.
    static func best(_ field: String?, of offered: [String]) -> String? {
        guard let field, !field.trimmingSpaces.isEmpty else { return offered.first }
        if offered.contains(field) { return field }
        let ranges = QualityList(field)
        var best: (type: String, quality: Double)?
        for type in offered {
            let main = type.split(separator: "/")[0]
            let quality =
                ranges.quality(of: [type]) ?? ranges.quality(of: ["\(main)/*"]) ?? ranges.quality(of: ["*/*"]) ?? 0
            if quality > best?.quality ?? 0 { best = (type, quality) }
        }
        return best?.type
    }

    /// Returns the type of a field without its parameters, in lower case.
    static func essence(_ field: String) -> String {
        String(field.prefix { $0 != ";" }).trimmingSpaces.lowercased()
    }
}

/// The compression of an answer's bytes.
enum ContentCoding: Hashable, CaseIterable {
    /// No compression.
    case identity
    /// gzip, RFC 1952.
    case gzip

    /// The suffix that distinguishes the tags of both codings.
    var tagSuffix: String { self == .gzip ? "-gz" : "" }

    /// Returns the best coding that a client accepts.
    ///
    /// - Parameter field: `Accept-Encoding`; without it nothing is compressed.
    /// - Returns: gzip if its quality is at least that of no compression.
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

    /// Reads a field; a quality that is not a number counts as 0.
    init(_ field: String) {
        entries = field.split(separator: ",").map { part in
            let pieces = part.split(separator: ";")
            let quality = pieces.dropFirst().lazy.map(\.trimmingSpaces).first { $0.lowercased().hasPrefix("q=") }
            let name = pieces.first.map { $0.trimmingSpaces.lowercased() } ?? ""
            return (name, quality.map { min(max(Double($0.dropFirst(2)) ?? 0, 0), 1) } ?? 1)
        }
    }

    /// The quality of the first of these names that the list has.
    func quality(of names: [String]) -> Double? {
        entries.first { names.contains($0.name) }?.quality
    }
}

/// Compression by RFC 1952; the same input gives the same output.
enum Gzip {
    /// The minimum length for which compression is worthwhile.
    static let minimumByteCount = 1_024

    /// Compresses bytes, quickly rather than well, because each answer has one reader.
    ///
    /// - Returns: `nil` if the library runs out of memory.
    static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
        var stream = unsafe z_stream()
        // 31: the widest window with a gzip header.
        guard
            unsafe deflateInit2_(
                &stream, Z_BEST_SPEED, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
                Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { return nil }
        defer { unsafe deflateEnd(&stream) }
        let bound = unsafe Int(deflateBound(&stream, UInt(bytes.count)))
        var input = bytes
        var status = Z_OK
        let output = unsafe [UInt8](unsafeUninitializedCapacity: bound) { buffer, count in
            status = unsafe input.withUnsafeMutableBufferPointer { input in
                unsafe stream.next_in = input.baseAddress
                unsafe stream.avail_in = UInt32(input.count)
                unsafe stream.next_out = buffer.baseAddress
                unsafe stream.avail_out = UInt32(buffer.count)
                return unsafe deflate(&stream, Z_FINISH)
            }
            count = unsafe bound - Int(stream.avail_out)
        }
        return status == Z_STREAM_END ? output : nil
    }
}
