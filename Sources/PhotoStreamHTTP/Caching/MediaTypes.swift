import PhotoStreamWire

/// Which form of an answer a client wants.
///
/// Source: RFC 9110, section 12.5.1.
enum MediaTypes {
    /// JSON.
    static let json = "application/json"
    /// JSON Lines.
    static let jsonLines = "application/jsonl"
    /// JSON Lines by its other name.
    static let ndjson = "application/x-ndjson"
    /// A change of a JSON document.
    ///
    /// Source: RFC 7396.
    static let mergePatch = "application/merge-patch+json"
    /// A page for people.
    static let html = "text/html"
    /// A page as fixed-width numbers.
    static let page = BinaryPage.mediaType

    /// The form that a client likes best.
    ///
    /// - Parameters:
    ///   - field: `Accept`; without it any form is fine.
    ///   - offered: The forms that there are, the default first.
    /// - Returns: `nil` where the client takes none of them; of forms that it likes alike the first.
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

    /// The type of a field without its parameters, in lower case.
    static func essence(_ field: String) -> String {
        String(field.prefix { $0 != ";" }).trimmingSpaces.lowercased()
    }
}
