import HTTPTypes
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// Translates a share's requests, whose ids become those of the photos, and passes only answers that were written for
/// it.
struct ShareView {
    private let audience: ShareAudience
    private let form: ShareForm

    /// The error for an answer that was not written for the share; none of it is sent.
    struct Hidden: Error {}

    /// The fields that answers of a share may have.
    private static let fields: Set<HTTPField.Name> = [
        .contentType, .contentEncoding, .eTag, .vary, .cacheControl, .acceptRanges, .contentRange, .lastModified,
        .contentDisposition, .retryAfter, .contentSecurityPolicy, .crossOriginResourcePolicy, .accelBuffering,
    ]

    /// Creates the view of a share.
    ///
    /// - Parameters:
    ///   - share: The share.
    ///   - form: The form of the answers of the route.
    init(_ share: ShareGrant, of form: ShareForm) {
        audience = ShareAudience(share)
        self.form = form
    }

    // MARK: - In

    /// Returns a call with the photos' own ids, cursors and validators.
    ///
    /// - Throws: ``Problem`` for one that does not belong to this share, and for a map or an original if the share does
    ///   not show it.
    func opened(_ call: APICall) throws -> APICall {
        var call = call
        // A caller has only the rights of the link.
        for name in [HTTPField.Name.authorization, .cookie] { call.headers[name] = nil }
        guard case .file = form else {
            try openPath(&call.path)
            try openConditions(&call.headers)
            call.query = try call.query.mapping { name, value throws(Problem) in
                try opened(value, of: name, as: call.route.parameter(named: name)?.schema)
            }
            try checkLayout(of: call)
            try checkPicture(of: call)
            return call
        }
        return call
    }

    private func openPath(_ path: inout [String: String]) throws(Problem) {
        if let photo = path["photo"] { path["photo"] = try opened(photo: photo, of: "photo") }
        if let key = path["key"] { path["key"] = PictureKey(key).map { audience.seal.opened($0).description } ?? "" }
    }

    private func opened(
        _ value: String, of name: String, as schema: RouteParameter.Schema?
    ) throws(Problem) -> String {
        switch schema {
        case .photoID, .photoIDs: return try opened(photo: value, of: name)
        case _ where name == RouteParameter.cursor.name:
            guard let cursor = audience.seal.opened(value, as: .cursor) else {
                throw Problem(
                    .invalidCursor, detail: "the cursor was altered, or is not of this share", parameter: name)
            }
            return cursor
        default: return value
        }
    }

    private func opened(photo text: String, of parameter: String) throws(Problem) -> String {
        guard let id = audience.options.contains(.names) ? text : audience.seal.opened(text, as: .photo) else {
            throw Problem(.unknownPhoto, detail: "the share has no such photo", parameter: parameter)
        }
        return id
    }

    private func openConditions(_ fields: inout HTTPFields) throws(Problem) {
        for name in [HTTPField.Name.ifNoneMatch, .ifMatch] {
            if let field = fields[name] { fields[name] = opened(conditions: field) }
        }
        if let range = fields[.ifRange], range.contains("\"") { fields[.ifRange] = opened(conditions: range) }
    }

    /// Returns conditions with the server's own validators, without tags that do not belong to this share.
    ///
    /// - Parameter field: The field `If-None-Match`, `If-Match` or, with a tag, `If-Range`.
    /// - Returns: A field with at least one tag, if necessary one that matches nothing.
    private func opened(conditions field: String) -> String {
        let condition = EntityTagCondition(field)
        guard !condition.isAny else { return "*" }
        let opened = condition.tags.compactMap { tag in
            audience.seal.opened(String(tag.text.dropFirst().dropLast()), as: .validator)
                .map { (tag.isWeak ? "W/" : "") + $0 }
        }
        return opened.isEmpty ? "\"-\"" : opened.joined(separator: ", ")
    }

    /// Refuses maps, because the frame of a photo reveals its position.
    private func checkLayout(of call: APICall) throws {
        guard !audience.options.contains(.positions), case .map? = try call.layoutKey()?.algorithm else { return }
        throw Problem(
            .invalidLayout, detail: "this share shows no positions and therefore no maps", parameter: "algorithm")
    }

    /// Refuses originals.
    private func checkPicture(of call: APICall) throws(Problem) {
        guard !audience.options.contains(.originals) else { return }
        guard call.route.path != PictureRoutes.film.path else {
            throw Problem(.insufficientScope, detail: "this share does not send originals, nor the films in them")
        }
        guard call.route.path == PictureRoutes.path else { return }
        guard let size = call.query["size"], size != PictureSize.original.rawValue else {
            throw Problem(
                .insufficientScope, detail: "this share does not send originals; request a size", parameter: "size")
        }
    }

    // MARK: - Out

    /// Returns an answer with the fields and the validator that the share may show.
    ///
    /// - Throws: ``Problem`` for an answer that the share must not show, and ``Hidden``.
    func shown(_ answer: APIResponse, of route: Route) throws -> APIResponse {
        var shown = answer
        shown.fields = HTTPFields()
        for field in answer.fields where Self.fields.contains(field.name) { shown.fields.append(field) }
        protect(&shown)
        switch (form, answer.status.code) {
        case (.file, 200), (.events, 200), (_, 304): break
        case (.members, 200) where answer.isForSender, (_, 400...) where answer.isForSender: break
        case (.picture, 200), (.picture, 206):
            let type = answer.fields[.contentType] ?? ""
            guard type.hasPrefix("image/") || type.hasPrefix("video/") else { throw Hidden() }
            guard answer.part == nil || audience.options.contains(.originals) else {
                throw Problem(.noThumbnail, detail: "")
            }
        // A signed address contains another text for the picture.
        case (.picture, 307) where route.path == ThumbnailRoutes.path:
            shown.fields[.location] = answer.fields[.location]
        // Any other redirect would reveal the location of the picture.
        case (.picture, 307): throw Problem(.noPicture, detail: "")
        default: throw Hidden()
        }
        if case .file = form { return shown }
        if let tag = answer.fields[.eTag] { shown.fields[.eTag] = sealed(validator: tag) }
        return shown
    }

    private func sealed(validator tag: String) -> String {
        let isWeak = tag.hasPrefix("W/")
        let text = audience.seal.sealed(String(tag.dropFirst(isWeak ? 2 : 0)), as: .validator)
        return (isWeak ? "W/" : "") + "\"\(text)\""
    }

    /// Adds the fields that keep the link secret.
    private func protect(_ answer: inout APIResponse) {
        answer.fields[.referrerPolicy] = "no-referrer"
        answer.fields[.robots] = "noindex"
        if answer.fields[.cacheControl]?.contains("private") != true, answer.events == nil {
            answer.fields[.cacheControl] = "no-store"
        }
    }
}

extension Problem {
    /// The kinds whose details contain only parts of the request, or of the share itself.
    private static let openKinds: Set<ProblemKind> = [
        .malformedRequest, .badHost, .badEscape, .unknownParameter, .repeatedParameter, .invalidParameter,
        .missingParameter, .invalidLayout, .invalidCursor, .insufficientScope, .unknownPath, .shareEnded,
        .indexOutOfRange, .notAcceptable, .otherRevision, .outdated, .misdirected, .unsupportedCoding,
        .tooManyAttempts, .tooManyRequests,
    ]

    /// The problem without a detail that may reveal a photo.
    var ofShare: Problem {
        var problem = Problem(kind, detail: Self.openKinds.contains(kind) ? detail : sentence, parameter: parameter)
        problem.wait = wait
        return problem
    }

    private var sentence: String {
        switch kind {
        case .unknownPhoto: "the share has no such photo"
        case .noPicture, .pictureNotFound, .notAPicture: "the share has no such picture"
        case .noThumbnail: "there is no thumbnail of this picture"
        default: "the request cannot be answered"
        }
    }
}

extension HTTPField.Name {
    fileprivate static let robots = known("X-Robots-Tag")
}
