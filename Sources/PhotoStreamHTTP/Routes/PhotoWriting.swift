import HTTPTypes
import PhotoStreamImport
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

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
        isConditional: true, body: .init(types: [MediaTypes.json], schema: "Move"), answers: [.init(schema: "Moved")],
        problems: problems + [.unknownPhoto, .invalidBody, .invalidMove, .preconditionFailed], work: .writing
    ) { call in
        let (stream, photo, move) = (try call.stream, try call.photo, try call.move())
        let movedCount = try call.attributingUnknownPhoto(to: move.parameter) {
            try call.service.movePhotos([photo] + move.others, move.destination, in: stream) {
                try call.checkConditions($0)
            }
        }
        let moved = Moved(id: photo, count: movedCount)
        return APIResponse(contentType: MediaTypes.json, body: JSONWriter.bytes { $0.value(moved) })
    }
}

/// The result of a move.
struct Moved: WireObject {
    let id: PhotoID
    let count: Int

    static let shape = Shape<Moved>(
        "Moved",
        [
            .always("id", about: "The photo that was moved.") { $0.id.rawValue },
            .always("moved", about: "The number of photos that were moved with it, itself included.") { $0.count },
        ])
}

/// What the body of a move says.
private struct MoveBody {
    let destination: MoveDestination
    /// The member that names the photo of the destination.
    let side: String
    let others: [PhotoID]

    /// The parameter or the member that is to blame for a photo.
    func parameter(naming id: PhotoID) -> String {
        if others.contains(id) { return "also" }
        return [.before(id), .after(id)].contains(destination) ? side : "photo"
    }
}

extension APICall {
    fileprivate func move() throws -> MoveBody {
        let texts = try texts(["before", "after"], lists: ["also"])
        let others = try texts.lists["also"]?.map { try name($0, of: "also", PhotoID.init(_:)) } ?? []
        guard others.count < PhotoStreamService.maximumLimit else {
            throw Problem(
                .invalidBody, "also names \(others.count) photos, but at most \(PhotoStreamService.maximumLimit) move",
                parameter: "also")
        }
        guard texts.texts.count == 1, let (side, neighbor) = texts.texts.first else {
            throw Problem(
                .invalidBody, "the body must have one of the members before and after",
                parameter: texts.texts.isEmpty ? "before" : "after")
        }
        let id = try name(neighbor, of: side, PhotoID.init(_:))
        return MoveBody(destination: side == "before" ? .before(id) : .after(id), side: side, others: others)
    }
}

extension APIResponse {
    /// A photo with its validator.
    init(photo: Photo) {
        self.init(validatedBody: JSONWriter.bytes { $0.value(photo) })
    }

    /// JSON that `GET` answers with, too, with its validator.
    init(validatedBody body: [UInt8]) {
        self.init(contentType: MediaTypes.json, body: body)
        fields[.eTag] = EntityTag(of: body, .identity).text
    }
}
