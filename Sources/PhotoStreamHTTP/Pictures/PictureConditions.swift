import HTTPTypes

/// What a request for a file makes of what the client has already.
///
/// Source: RFC 9110, section 13.2.2.
enum PictureConditions: Equatable {
    /// The client has it.
    case notModified
    /// It is not what the client wants to go on with.
    case failed
    /// It is to be sent, and a range of it only where that is asked for.
    case range
    /// All of it is to be sent, also where a range is asked for.
    case whole

    /// How a file may be recognised.
    struct Validators {
        /// The tag of its bytes.
        let tag: EntityTag
        /// When it was written.
        let modified: HTTPDate?
        /// Whether equal validators are equal bytes.
        let isStrong: Bool
    }

    /// Reads the fields of a request.
    ///
    /// - Parameters:
    ///   - method: The method: a range is something of `GET` only.
    ///   - validators: Those of the file.
    ///   - field: The value of a field.
    init(_ method: HTTPRequest.Method, _ validators: Validators, _ field: (HTTPField.Name) -> String?) {
        if let condition = field(.ifMatch).map(EntityTagCondition.init) {
            guard condition == .any || validators.isStrong && condition.matchesStrongly(validators.tag) else {
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
        let goesOn = field(.ifRange).map { Self.isStill($0.trimmingSpaces, validators) } ?? true
        self = method == .get && goesOn ? .range : .whole
    }

    /// Whether the field `If-Range` names the file as it is.
    private static func isStill(_ text: String, _ validators: Validators) -> Bool {
        guard validators.isStrong else { return false }
        guard text.hasPrefix("\"") || text.hasPrefix("W/") else {
            return validators.modified != nil && HTTPDate(text) == validators.modified
        }
        return text == validators.tag.text
    }
}
