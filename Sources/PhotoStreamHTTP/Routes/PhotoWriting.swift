import HTTPTypes
import PhotoStreamImport
import PhotoStreamModel
import PhotoStreamService

/// Photos are written, moved and deleted.
enum PhotoWriting {
    private static let problems: [ProblemKind] = [
        .invalidName, .unknownStream, .readOnly, .busy,
    ]

    static let put = Route(
        method: .put, path: PhotoRoutes.photoPath, operation: "putPhoto",
        summary: """
            Write a photo, all of it: what the body does not name is cleared. As a person's word it outranks every later \
            import.
            """,
        isConditional: true, body: .init(types: [MediaTypes.json], schema: "PhotoRecord"),
        answers: [.init(schema: "Photo"), .init(201, schema: "Photo")],
        problems: problems + [.invalidBody, .invalidPhoto, .preconditionFailed], work: .writing
    ) { call in
        let record = try call.photoRecord().changes(to: nil)
        let written = try call.service.put(record, in: try call.stream) { try call.checkConditions($0) }
        var response = APIResponse(photo: written.photo)
        if written.isNew { response.status = .created }
        return response
    }

    static let patch = Route(
        method: .patch, path: PhotoRoutes.photoPath, operation: "patchPhoto",
        summary: """
            Change a photo: a member that the body lacks stays, null clears it, and of width and height, or latitude and \
            longitude, the other with it. Source: RFC 7396.
            """,
        isConditional: true, body: .init(types: [MediaTypes.mergePatch, MediaTypes.json], schema: "PhotoRecord"),
        answers: [.init(schema: "Photo")],
        problems: problems + [.unknownPhoto, .invalidBody, .invalidPhoto, .preconditionFailed], work: .writing
    ) { call in
        let record = try call.photoRecord()
        let photo = try call.service.edit(record.id, in: try call.stream) { stored in
            try call.checkConditions(stored)
            return try record.changes(to: stored)
        }
        return APIResponse(photo: photo)
    }

    static let delete = Route(
        method: .delete, path: PhotoRoutes.photoPath, operation: "deletePhoto", summary: "Delete a photo.",
        isConditional: true, answers: [.init(204, [], schema: "")],
        problems: problems + [.unknownPhoto, .preconditionFailed], work: .writing
    ) { call in
        try call.service.deletePhotos([try call.photo], from: try call.stream) { try call.checkConditions($0) }
        return APIResponse(.noContent)
    }

    static let move = Route(
        method: .post, path: RoutePath(PhotoRoutes.photoPath.template + "/move"), operation: "movePhoto",
        summary: """
            Move a photo next to another, whose time in the order it takes; where the body has "also", those photos behind \
            it, in that order. All of them move, or none.
            """,
        body: .init(types: [MediaTypes.json], schema: "Move"), answers: [.init(schema: "Moved")],
        problems: problems + [.unknownPhoto, .invalidBody, .invalidMove], work: .writing
    ) { call in
        let (stream, photo, move) = (try call.stream, try call.photo, try call.move())
        let movedCount = try call.moving {
            try call.service.movePhotos([photo] + move.others, move.destination, in: stream)
        }
        let body = JSONWriter.bytes { writer in
            writer.object { writer in
                writer.key("id")
                writer.value(photo.rawValue)
                writer.key("moved")
                writer.value(movedCount)
            }
        }
        return APIResponse(contentType: MediaTypes.json, body: body)
    }
}

extension APICall {
    /// What the body of a move says.
    fileprivate func move() throws -> (destination: MoveDestination, others: [PhotoID]) {
        let texts = try texts(["before", "after"], lists: ["also"])
        let others = try texts.lists["also"]?.map { try PhotoID($0) } ?? []
        guard others.count < PhotoStreamService.maximumLimit else {
            throw Problem(
                .invalidBody, "also names \(others.count) photos, but at most \(PhotoStreamService.maximumLimit) move",
                parameter: "also")
        }
        guard texts.texts.count == 1, let (side, neighbor) = texts.texts.first else {
            throw Problem(.invalidBody, "the body must have one of the members before and after")
        }
        let id = try PhotoID(neighbor)
        return (side == "before" ? .before(id) : .after(id), others)
    }

    fileprivate func moving(_ move: () throws -> Int) throws -> Int {
        do {
            return try move()
        } catch StreamServiceError.storage(code: "constraint", _) {
            throw Problem(.invalidMove, "a photo cannot be moved next to itself, nor named twice")
        }
    }
}

extension APIResponse {
    /// A photo with its validator.
    init(photo: Photo) {
        let body = JSONWriter.bytes { $0.value(photo) }
        self.init(contentType: MediaTypes.json, body: body)
        fields[.eTag] = EntityTag(of: body, .identity).text
    }
}
