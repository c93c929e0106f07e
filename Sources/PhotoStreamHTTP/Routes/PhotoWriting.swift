import HTTPTypes
import PhotoStreamImport
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// The routes that write, move and delete photos.
enum PhotoWriting {
    private static let problems: [ProblemKind] = [
        .invalidName, .unknownStream, .readOnly, .busy, .primaryUnavailable,
    ]

    /// The parameter for the author of a write.
    private static let source = RouteParameter(
        "source", as: .words(Source.allCases.map(\.rawValue)),
        summary: """
            import: the write counts as an import, so fields that a person edited stay as they are, and no field is marked \
            as edited. (default: person)
            """)

    /// The author of a write, by its name in the parameter.
    fileprivate enum Source: String, CaseIterable {
        case person
        case `import`

        var author: Photo.Author { self == .person ? .person : .importer }
    }

    static let put = Route(
        method: .put, path: PhotoRoutes.photoPath, operation: "putPhoto", access: .write,
        summary: """
            Write all fields of a photo: those that are missing from the body are cleared. This counts as a person's \
            edit, which outranks every later import, unless source is import.
            """,
        parameters: [source], isConditional: true, body: .init(types: [MediaTypes.json], schema: "PhotoRecord"),
        answers: [.init(schema: "Photo"), .init(201, schema: "Photo")],
        problems: problems + [
            .invalidParameter, .invalidBody, .invalidPhoto, .preconditionFailed, .photoDeleted, .keptView,
        ],
        work: .writing
    ) { call in
        let author = try call.author()
        let record = try call.photoRecord().changes(to: nil)
        let written = try call.service.put(record, in: try call.stream, by: author, if: call.photoConditions)
        var response = try call.response(written.photo)
        if written.isNew { response.status = .created }
        return response
    }

    static let patch = Route(
        method: .patch, path: PhotoRoutes.photoPath, operation: "patchPhoto", access: .write,
        summary: """
            Change a photo (RFC 7396): fields that are missing from the body keep their values, and null clears a \
            field. Clearing width or height clears both; so does clearing latitude or longitude. This counts as a \
            person's edit of the fields in the body, which outranks every later import, unless source is import.
            """,
        parameters: [source], isConditional: true,
        body: .init(types: [MediaTypes.mergePatch, MediaTypes.json], schema: "PhotoRecord"),
        answers: [.init(schema: "Photo")],
        problems: problems + [
            .unknownPhoto, .invalidParameter, .invalidBody, .invalidPhoto, .preconditionFailed,
        ], work: .writing
    ) { call in
        let author = try call.author()
        let record = try call.photoRecord()
        let check = call.photoConditions
        let photo = try call.service.edit(record.id, in: try call.stream, by: author) { stored in
            try check(stored)
            return try record.changes(to: stored)
        }
        return try call.response(photo)
    }

    static let delete = Route(
        method: .delete, path: PhotoRoutes.photoPath, operation: "deletePhoto", access: .write,
        summary: "Delete a photo. For 30 days it can be restored, and no import brings it back.",
        isConditional: true, answers: [.init(204, types: [], schema: "")],
        problems: problems + [.unknownPhoto, .preconditionFailed], work: .writing
    ) { call in
        let check = call.photoConditions
        try call.service.deletePhotos([try call.photo], from: try call.stream) { try check($0) }
        return APIResponse(.noContent)
    }

    static let move = Route(
        method: .post, path: RoutePath(PhotoRoutes.photoPath.template + "/move"), operation: "movePhoto",
        access: .write,
        summary: """
            Move a photo next to another one, and give it that photo's time in the order. The photos of "also" follow \
            it, in the order of the list. With "reset", the photos return to the places of their own times. Either all \
            photos move or none does.
            """,
        isConditional: true, body: .init(types: [MediaTypes.json], schema: "Move"), answers: [.init(schema: "Moved")],
        problems: problems + [.unknownPhoto, .invalidBody, .invalidMove, .preconditionFailed, .noRank, .keptView],
        work: .writing
    ) { call in
        let (stream, photo, move) = (try call.stream, try call.photo, try call.move())
        let conditions = call.photoConditions
        let movedCount = try call.attributingUnknownPhoto(to: move.parameter) {
            // The conditions apply to the photo of the path only.
            let check = { (stored: Photo) in if stored.id == photo { try conditions(stored) } }
            guard let destination = move.destination else {
                return try call.service.resetMoves(of: [photo] + move.others, in: stream, if: check)
            }
            return try call.service.movePhotos([photo] + move.others, to: destination, in: stream, if: check)
        }
        let moved = Moved(id: photo, count: movedCount)
        return APIResponse(contentType: MediaTypes.json, body: JSONWriter.bytes { $0.value(moved) })
    }
}

extension PhotoWriting {
    static let restore = Route(
        method: .post, path: RoutePath(PhotoRoutes.photoPath.template + "/restore"), operation: "restorePhoto",
        access: .write,
        summary: "Restore a photo that was deleted in the last 30 days, unchanged and at its former place.",
        answers: [.init(schema: "Photo")], problems: problems + [.unknownPhoto, .photoExists], work: .writing
    ) { call in
        let photos = try call.service.restorePhotos([try call.photo], in: try call.stream)
        guard let photo = photos.first else { throw Problem(.failed, detail: "no photo was restored") }
        return try call.response(photo)
    }

    static let reset = Route(
        method: .post, path: RoutePath(PhotoRoutes.photoPath.template + "/reset"), operation: "resetPhoto",
        access: .write,
        summary: """
            Reset the edits of a photo, or only those of the fields in "fields": imports write these fields again. The \
            values stay until the next import.
            """,
        isConditional: true, body: .init(types: [MediaTypes.json], schema: "Reset"), answers: [.init(schema: "Photo")],
        problems: problems + [.unknownPhoto, .invalidBody, .preconditionFailed, .keptView], work: .writing
    ) { call in
        let (stream, photo, fields) = (try call.stream, try call.photo, try call.resetFields())
        let check = call.photoConditions
        try call.service.resetEdits(of: [photo], fields: fields, in: stream) { try check($0) }
        return try call.response(try call.service.read { session in try session.photo(photo, of: stream) })
    }
}

/// The result of a move.
struct Moved: WireObject {
    let id: PhotoID
    let count: Int

    static let schemaName: String? = "Moved"

    static func describe(_ members: inout some MemberList<Moved>) {
        members.always("id", about: "The photo that was moved.") { $0.id.rawValue }
        members.always("moved", about: "The number of photos that were moved, including this one.") { $0.count }
    }
}

/// The body of a move.
private struct MoveBody {
    /// The destination; `nil` for a reset.
    let destination: MoveDestination?
    /// The member that names the photo of the destination.
    let side: String
    let others: [PhotoID]

    /// Returns the parameter or the member that names a photo.
    func parameter(naming id: PhotoID) -> String {
        if others.contains(id) { return "also" }
        guard let destination else { return "photo" }
        return [.before(id), .after(id)].contains(destination) ? side : "photo"
    }
}

extension APICall {
    /// Returns the author of a write.
    fileprivate func author() throws -> Photo.Author {
        let source = try query.value("source", expecting: "person or import", read: PhotoWriting.Source.init(rawValue:))
        return (source ?? .person).author
    }

    /// Returns the fields in the body; all fields if it lists none.
    fileprivate func resetFields() throws -> PhotoFields {
        guard let names = try texts([], lists: ["fields"]).lists["fields"] else { return .all }
        guard !names.isEmpty else {
            throw Problem(.invalidBody, detail: "fields is empty; leave it out for all fields", parameter: "fields")
        }
        do {
            return try PhotoFields(names: names)
        } catch {
            throw Problem(.invalidBody, detail: error.description, parameter: "fields")
        }
    }

    fileprivate func move() throws -> MoveBody {
        let texts = try texts(["before", "after"], lists: ["also"], flags: ["reset"])
        let others = try texts.lists["also"]?.map { try name($0, of: "also", as: PhotoID.init(_:)) } ?? []
        guard others.count < PhotoStreamService.maximumLimit else {
            throw Problem(
                .invalidBody,
                detail:
                    "also names \(others.count) photos; at most \(PhotoStreamService.maximumLimit) photos move at once",
                parameter: "also")
        }
        guard texts.texts.count + texts.flags.count == 1 else {
            throw Problem(
                .invalidBody, detail: "the body must have one of before, after and reset",
                parameter: texts.texts.isEmpty ? "before" : texts.flags.isEmpty ? "after" : "reset")
        }
        guard let (side, neighbor) = texts.texts.first else {
            return MoveBody(destination: nil, side: "reset", others: others)
        }
        let id = try name(neighbor, of: side, as: PhotoID.init(_:))
        return MoveBody(destination: side == "before" ? .before(id) : .after(id), side: side, others: others)
    }
}

extension APICall {
    /// Returns the answer with a written photo, and its validator.
    func response(_ photo: Photo) throws -> APIResponse {
        let stream = try stream
        // Another process may have deleted the photo since then.
        let state = try? service.read { session in
            (
                try session.picture(of: photo.id, in: stream), try session.fileState(of: photo.id, in: stream),
                try session.stackSummary(of: photo.id, in: stream)
            )
        }
        let shown = ShownPhoto(photo, with: state?.0, file: state?.1 ?? PhotoFileState(), stack: state?.2)
        return APIResponse(
            validatedBody: JSONWriter.bytes { $0.value(shown) },
            about: photo.bytesWithoutPicture)
    }
}

extension APIResponse {
    /// Creates an answer with the JSON of the corresponding `GET`, and its validator.
    ///
    /// - Parameters:
    ///   - body: The bytes.
    ///   - object: The bytes without the part that may change while the object stays the same.
    init(validatedBody body: [UInt8], about object: [UInt8]) {
        self.init(contentType: MediaTypes.json, body: body)
        fields[.eTag] = EntityTag(of: body, about: object, .identity).text
    }
}
