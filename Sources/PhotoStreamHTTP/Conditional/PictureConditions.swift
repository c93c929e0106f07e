import HTTPTypes

/// The outcome of the conditions of a request for a file.
///
/// Source: RFC 9110, section 13.2.2.
enum PictureConditions: Equatable {
    /// The client has the file.
    case notModified
    /// The file is not the one that the client expects.
    case failed
    /// The requested range is sent, or else the whole file.
    case range
    /// The whole file is sent, even if a range is requested.
    case whole

    /// The validators of a file.
    struct Validators {
        /// The tag of its bytes.
        let tag: EntityTag
        /// The time of its last modification.
        let modified: HTTPDate?
        /// Whether equal validators mean equal bytes.
        let isStrong: Bool
    }

    /// Reads the fields of a request.
    ///
    /// - Parameters:
    ///   - method: The method: ranges exist for `GET` only.
    ///   - validators: The validators of the file.
    ///   - field: Returns the value of a field.
    init(_ method: HTTPRequest.Method, validators: Validators, field: (HTTPField.Name) -> String?) {
        if let condition = field(.ifMatch).map(EntityTagCondition.init) {
            guard condition.isAny || validators.isStrong && condition.matchesStrongly(validators.tag) else {
                self = .failed
                return
            }
        } else if let limit = field(.ifUnmodifiedSince).flatMap({ HTTPDate($0) }), let modified = validators.modified,
            modified > limit
        {
            self = .failed
            return
        }
        if let condition = field(.ifNoneMatch).map(EntityTagCondition.init) {
            guard !condition.matchesWeakly(validators.tag) else {
                self = .notModified
                return
            }
        } else if let limit = field(.ifModifiedSince).flatMap({ HTTPDate($0) }), let modified = validators.modified,
            modified <= limit
        {
            self = .notModified
            return
        }
        let continues = field(.ifRange).map { Self.isCurrent($0.trimmingSpaces, by: validators) } ?? true
        self = method == .get && continues ? .range : .whole
    }

    /// Whether the field `If-Range` names the current version of the file.
    private static func isCurrent(_ text: String, by validators: Validators) -> Bool {
        guard validators.isStrong else { return false }
        guard text.hasPrefix("\"") || text.hasPrefix("W/") else {
            return validators.modified != nil && HTTPDate(text) == validators.modified
        }
        return text == validators.tag.text
    }
}

/// The bytes of a file that a request selects.
enum ByteRangeSelection: Equatable {
    /// All of them.
    case whole
    /// Some of them, at least one, inside the file.
    case part(Range<Int64>)
    /// Only bytes that the file does not have.
    case unsatisfiable

    /// Reads the field `Range`.
    ///
    /// Anything but a single range of bytes counts as no field. Several ranges are answered with all bytes, so that a
    /// client cannot request the same ones a hundred times.
    ///
    /// - Parameters:
    ///   - field: The field, such as `bytes=0-499`, `bytes=500-` or `bytes=-500`; `nil` if it is missing.
    ///   - byteCount: The length of the file.
    ///
    /// Source: RFC 9110, section 14.
    init(_ field: String?, of byteCount: Int64) {
        self = .whole
        guard let sides = field?.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false),
            sides.count == 2,
            sides[0].trimmingSpaces.lowercased() == "bytes"
        else { return }
        // A list may have empty elements.
        let ranges = sides[1].split(separator: ",").map(\.trimmingSpaces).filter { !$0.isEmpty }
        guard ranges.count == 1, let range = ranges.first else { return }
        let ends = range.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]) else { return }
        switch (first, last) {
        case (nil, nil): return
        case (nil, let count?):
            self = count == 0 || byteCount == 0 ? .unsatisfiable : .part(max(0, byteCount - count)..<byteCount)
        case (let first?, let last):
            if let last, last < first { return }
            self = first >= byteCount ? .unsatisfiable : .part(first..<min(last ?? byteCount, byteCount - 1) + 1)
        }
    }

    /// Reads a number of digits, saturating; `.some(nil)` for no digits, `nil` for anything else.
    private static func number(_ text: Substring) -> Int64?? {
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        return text.isEmpty ? .some(nil) : Int64(text) ?? .max - 1
    }
}
