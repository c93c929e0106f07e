import HTTPTypes
import PhotoStreamImport
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// The routes that write, move and delete photos.
enum PhotoWriting {
    private static let problems: [ProblemKind] = [
        .invalidName, .unknownStream, .readOnly, .busy,
    ]

    /// The author of a write.
    private static let source = RouteParameter(
        "source", as: .words(Source.allCases.map(\.rawValue)),
        summary: """
            import: the write counts as an import, so fields that a person edited stay as they are, and no field is marked \
            as edited. (default: person)
            """)

    /// The names of authors.
    fileprivate enum Source: String, CaseIterable {
        case person
        case `import`

        var author: Photo.Author { self == .person ? .person : .importer }
    }

    static let put = Route(
        method: .put, path: PhotoRoutes.photoPath, operation: "putPhoto",
        summary: """
            Write all of a photo: fields that the body does not name are cleared. It counts as a person's edit, which \
            outranks every later import, unless source is import.
            """,
        parameters: [source], isConditional: true, body: .init(types: [MediaTypes.json], schema: "PhotoRecord"),
        answers: [.init(schema: "Photo"), .init(201, schema: "Photo")],
        problems: problems + [.invalidParameter, .invalidBody, .invalidPhoto, .preconditionFailed], work: .writing
    ) { call in
        let author = try call.author()
        let record = try call.photoRecord().changes(to: nil)
        let written = try call.service.put(record, in: try call.stream, by: author) { try call.checkConditions($0) }
        var response = APIResponse(photo: written.photo)
        if written.isNew { response.status = .created }
        return response
    }

    static let patch = Route(
        method: .patch, path: PhotoRoutes.photoPath, operation: "patchPhoto",
        summary: """
            Change a photo (RFC 7396): members that are missing from the body stay, and null clears. Clearing one of \
            width and height, or of latitude and longitude, clears both. It counts as a person's edit of the members that \
            the body has, which outranks every later import, unless source is import.
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
        let photo = try call.service.edit(record.id, in: try call.stream, by: author) { stored in
            try call.checkConditions(stored)
            return try record.changes(to: stored)
        }
        return APIResponse(photo: photo)
    }

    static let delete = Route(
        method: .delete, path: PhotoRoutes.photoPath, operation: "deletePhoto", summary: "Delete a photo.",
        isConditional: true, answers: [.init(204, types: [], schema: "")],
        problems: problems + [.unknownPhoto, .preconditionFailed], work: .writing
    ) { call in
        try call.service.deletePhotos([try call.photo], from: try call.stream) { try call.checkConditions($0) }
        return APIResponse(.noContent)
    }

    static let move = Route(
        method: .post, path: RoutePath(PhotoRoutes.photoPath.template + "/move"), operation: "movePhoto",
        summary: """
            Move a photo next to another one, and give it that photo's time in the order. The photos of "also" follow it, \
            in that order. Either all of them move, or none.
            """,
        isConditional: true, body: .init(types: [MediaTypes.json], schema: "Move"), answers: [.init(schema: "Moved")],
        problems: problems + [.unknownPhoto, .invalidBody, .invalidMove, .preconditionFailed], work: .writing
    ) { call in
        let (stream, photo, move) = (try call.stream, try call.photo, try call.move())
        let movedCount = try call.attributingUnknownPhoto(to: move.parameter) {
            try call.service.movePhotos([photo] + move.others, to: move.destination, in: stream) {
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
        members: [
            .always("id", about: "The photo that was moved.") { $0.id.rawValue },
            .always("moved", about: "The number of photos that were moved with it, itself included.") { $0.count },
        ])
}

/// The body of a move.
private struct MoveBody {
    let destination: MoveDestination
    /// The member that names the photo of the destination.
    let side: String
    let others: [PhotoID]

    /// Returns the parameter or the member that names a photo.
    func parameter(naming id: PhotoID) -> String {
        if others.contains(id) { return "also" }
        return [.before(id), .after(id)].contains(destination) ? side : "photo"
    }
}

extension APICall {
    /// The author of a write.
    fileprivate func author() throws -> Photo.Author {
        let source = try query.value("source", expecting: "person or import", read: PhotoWriting.Source.init(rawValue:))
        return (source ?? .person).author
    }

    fileprivate func move() throws -> MoveBody {
        let texts = try texts(["before", "after"], lists: ["also"])
        let others = try texts.lists["also"]?.map { try name($0, of: "also", as: PhotoID.init(_:)) } ?? []
        guard others.count < PhotoStreamService.maximumLimit else {
            throw Problem(
                .invalidBody,
                detail:
                    "also names \(others.count) photos; at most \(PhotoStreamService.maximumLimit) photos move at once",
                parameter: "also")
        }
        guard texts.texts.count == 1, let (side, neighbor) = texts.texts.first else {
            throw Problem(
                .invalidBody, detail: "the body must have either before or after",
                parameter: texts.texts.isEmpty ? "before" : "after")
        }
        let id = try name(neighbor, of: side, as: PhotoID.init(_:))
        return MoveBody(destination: side == "before" ? .before(id) : .after(id), side: side, others: others)
    }
}

extension APIResponse {
    /// Creates an answer with a photo and its validator.
    init(photo: Photo) {
        self.init(validatedBody: JSONWriter.bytes { $0.value(photo) })
    }

    /// Creates an answer with the JSON of the corresponding `GET`, and its validator.
    init(validatedBody body: [UInt8]) {
        self.init(contentType: MediaTypes.json, body: body)
        fields[.eTag] = EntityTag(of: body, .identity).text
    }
}
