import HTTPTypes
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// The routes that change stacks.
enum StackWriting {
    private static let problems: [ProblemKind] = [
        .invalidName, .unknownStream, .unknownPhoto, .notInStack, .preconditionFailed, .keptView, .readOnly, .busy,
        .primaryUnavailable,
    ]

    static let cover = Route(
        method: .post, path: RoutePath(PhotoRoutes.photoPath.template + "/cover"), operation: "makeCover",
        access: .write,
        summary: """
            Make a photo the cover of its stack: layouts show it instead of the former cover, at that photo's place. No \
            import chooses another cover.
            """,
        isConditional: true, answers: [.init(schema: "Photo")], problems: problems, work: .writing
    ) { call in
        let check = call.photoConditions
        return try call.response(
            try call.service.makeCover(try call.photo, in: try call.stream) { try check($0) })
    }

    static let takeApart = Route(
        method: .delete, path: PhotoRoutes.stackPath, operation: "takeApartStack", access: .write,
        summary: "Take the stack of a photo apart: layouts show each of its photos. No import stacks them again.",
        isConditional: true, answers: [.init(204, types: [], schema: "")], problems: problems, work: .writing
    ) { call in
        let check = call.photoConditions
        try call.service.takeApartStack(of: try call.photo, in: try call.stream) { try check($0) }
        return APIResponse(.noContent)
    }
}
