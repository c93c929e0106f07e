import HTTPTypes
import PhotoStreamService

/// The route of pictures.
enum PictureRoutes {
    static let path = RoutePath("/v1/streams/{stream}/photos/{photo}/image")

    private static let size = RouteParameter(
        "size", as: .words(PictureSize.allCases.map(\.rawValue)),
        summary:
            "The length of the longer side in pixels. A size that was not made is redirected to the original. "
            + "(default: original)")

    static let show = Route(
        method: .get, path: path, operation: "getImage",
        summary: "The picture of a photo: the file beneath a root of the server, or a redirect to its address.",
        parameters: [size], isCacheable: true, isPartial: true,
        answers: [
            .init(200, types: PictureType.allCases.map(\.mediaType), schema: "The picture."),
            .init(206, types: PictureType.allCases.map(\.mediaType), schema: "The bytes that were asked for."),
            .init(307, types: [], schema: "The picture is at the address that Location names."),
        ],
        problems: [
            .unknownStream, .unknownPhoto, .invalidName, .invalidParameter, .noPicture, .pictureNotFound, .notAPicture,
            .preconditionFailed, .unsatisfiableRange,
        ], work: .opening
    ) { call in
        let sizes = PictureSize.allCases.map(\.rawValue).joined(separator: ", ")
        let size = try call.query.value("size", expecting: "one of \(sizes)") { PictureSize(rawValue: $0) } ?? .original
        let source = try call.service.picture(of: try call.photo, in: try call.stream)
        call.times.end("open")
        switch source {
        case .address(let address): return redirect(to: address)
        // So clients cache the original once, whatever sizes they ask for; a size that is made later has its own
        // address.
        case .file where size != .original: return redirect(to: "image")
        case .file(let file):
            let type = file.type.mediaType
            guard MediaTypes.best(call.headers[.accept], of: [type]) != nil else {
                throw Problem(.notAcceptable, detail: "the picture is \(type), which Accept excludes")
            }
            return answer(file, to: call)
        }
    }

    private static func redirect(to address: String) -> APIResponse {
        var response = APIResponse(.temporaryRedirect)
        response.fields[.location] = address
        response.fields[.cacheControl] = "private, no-cache"
        // Other servers do not learn which page asked for a picture.
        response.fields[.referrerPolicy] = "no-referrer"
        return response
    }

    private static func answer(_ file: PictureFile, to call: APICall) -> APIResponse {
        let validators = PictureConditions.Validators(
            tag: EntityTag(of: file), modified: HTTPDate(seconds: file.version.modifiedNanoseconds / 1_000_000_000),
            isStrong: file.version.isSettled)
        let (whole, conditions) = (
            0..<file.version.byteCount, PictureConditions(call.method, validators: validators) { call.headers[$0] }
        )
        let selection = conditions == .range ? ByteRangeSelection(call.headers[.range], of: whole.upperBound) : .whole
        var response: APIResponse
        switch (conditions, selection) {
        case (.failed, _):
            return APIResponse(
                Problem(.preconditionFailed, detail: "the picture is not the version that the request names"))
        case (.notModified, _): response = APIResponse(.notModified)
        case (_, .whole): response = APIResponse(file, range: whole)
        case (_, .part(let range)):
            response = APIResponse(file, range: range)
            response.status = .partialContent
            response.fields[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(whole.upperBound)"
        case (_, .unsatisfiable):
            response = APIResponse(
                Problem(
                    .unsatisfiableRange,
                    detail: "the picture has \(whole.upperBound) bytes, and the range includes none of them"))
            response.fields[.contentRange] = "bytes */\(whole.upperBound)"
            return response
        }
        response.fields[.eTag] = (validators.isStrong ? "" : "W/") + validators.tag.text
        if validators.isStrong, let modified = validators.modified { response.fields[.lastModified] = "\(modified)" }
        response.fields[.acceptRanges] = "bytes"
        response.fields[.cacheControl] = "private, no-cache"
        response.fields[.crossOriginResourcePolicy] = "same-site"
        response.fields[.contentSecurityPolicy] = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
        return response
    }
}
