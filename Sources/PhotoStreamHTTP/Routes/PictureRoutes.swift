import HTTPTypes
import PhotoStreamModel
import PhotoStreamService

/// The routes of a photo's picture or video, that is the file itself, or a thumbnail in the form that the client prefers,
/// and of the film in the file.
enum PictureRoutes {
    static let path = RoutePath("/v1/streams/{stream}/photos/{photo}/image")

    private static let size = RouteParameter(
        "size", as: .words(PictureSize.allCases.map(\.rawValue)),
        summary:
            "The length of a thumbnail's longer side in pixels, or the unmodified file. (default: original)")

    static let show = Route(
        method: .get, path: path, operation: "getImage", access: .read,
        summary: """
            The picture of a photo: the file beneath a root of the server, a thumbnail of it, or a redirect to its address.
            """,
        parameters: [size], isCacheable: true, isPartial: true,
        answers: [
            .init(200, types: PictureType.allCases.map(\.mediaType), schema: "The picture."),
            .init(206, types: PictureType.allCases.map(\.mediaType), schema: "The requested bytes."),
            .init(307, types: [], schema: "The picture is at the address that Location names."),
        ],
        problems: [
            .unknownStream, .unknownPhoto, .invalidName, .invalidParameter, .noPicture, .pictureNotFound, .notAPicture,
            .noThumbnail, .preconditionFailed, .unsatisfiableRange,
        ], work: .opening
    ) { call in
        let sizes = PictureSize.allCases.map(\.rawValue).joined(separator: ", ")
        let size = try call.query.value("size", expecting: "one of \(sizes)") { PictureSize(rawValue: $0) }
        guard case .thumbnail(let size)? = size else { return try await original(&call) }
        return try await thumbnail(size, to: &call)
    }

    static let film = Route(
        method: .get, path: RoutePath("/v1/streams/{stream}/photos/{photo}/film"), operation: "getFilm", access: .read,
        summary: "The film in the file of a motion photo.", isCacheable: true, isPartial: true,
        answers: [
            .init(200, types: [PictureType.mp4.mediaType], schema: "The film."),
            .init(206, types: [PictureType.mp4.mediaType], schema: "The requested bytes."),
        ],
        problems: [
            .unknownStream, .unknownPhoto, .invalidName, .noPicture, .pictureNotFound, .notAPicture,
            .preconditionFailed, .unsatisfiableRange,
        ], work: .opening
    ) { call in
        let (service, photo, stream) = (call.service, try call.photo, try call.stream)
        let file = try await call.blocking { try service.film(of: photo, in: stream) }
        call.times.end("open")
        return try answer(file, as: file.type.mediaType, to: call)
    }

    private static func original(_ call: inout APICall) async throws -> APIResponse {
        let (service, photo, stream) = (call.service, try call.photo, try call.stream)
        let (source, codec) = try await call.blocking {
            let source = try service.picture(of: photo, in: stream)
            guard case .file(let file) = source, file.type == .quickTime else { return (source, String?.none) }
            return (source, try service.read { session in try session.photo(photo, of: stream).codec })
        }
        call.times.end("open")
        switch source {
        case .address(let address): return redirect(to: address)
        case .file(let file):
            let mediaType = file.type.mediaType(codec: codec)
            guard MediaTypes.best(call.headers[.accept], of: [mediaType]) != nil else {
                throw Problem(.notAcceptable, detail: "the picture is \(mediaType), which Accept excludes")
            }
            return try answer(file, as: mediaType, to: call)
        }
    }

    private static func thumbnail(_ size: ThumbnailSize, to call: inout APICall) async throws -> APIResponse {
        let (photo, stream, headers) = (try call.photo, try call.stream, call.headers)
        guard let pictures = call.pictures else { return try await original(inPlaceOfThumbnail: &call) }
        let formats = ThumbnailFormat.allCases
        let accepted = MediaTypes.best(headers[.accept], of: formats.map(\.mediaType))
        guard let format = formats.first(where: { $0.mediaType == accepted }) else {
            throw Problem(
                .notAcceptable,
                detail: "thumbnails are available as \(formats.map(\.mediaType).joined(separator: " or ")) only")
        }
        // A small picture is sent instead of its thumbnail, with its metadata, if the share allows originals.
        let sendsOriginals = call.grant.share?.options.contains(.originals) ?? true
        let found = try await call.blocking {
            try pictures.lookUp(ThumbnailKind(size, as: format), of: photo, in: stream) {
                sendsOriginals && MediaTypes.best(headers[.accept], of: [$0.mediaType]) != nil
            }
        }
        call.times.end("lookup")
        let answer = try await call.made(found, by: pictures)
        switch answer {
        case .thumbnail(let thumbnail):
            return vary(call.response(thumbnail, caching: "private, no-cache"))
        case .original(let file): return vary(try Self.answer(file, as: file.type.mediaType, to: call))
        case .address(let address): return redirect(to: address)
        case .undecodable(let reason, let color):
            return vary(try call.response(withoutThumbnail: reason, color: color))
        case .unavailable: return try await original(inPlaceOfThumbnail: &call)
        }
    }

    /// Redirects the client to the original if browsers can show it.
    private static func original(inPlaceOfThumbnail call: inout APICall) async throws -> APIResponse {
        let (service, photo, stream) = (call.service, try call.photo, try call.stream)
        let source = try await call.blocking { try service.picture(of: photo, in: stream) }
        switch source {
        case .address(let address): return redirect(to: address)
        // With a redirect, clients cache the original once for all sizes.
        case .file(let file) where file.type.isOfWeb: return redirect(to: "image")
        case .file(let file):
            throw Problem(
                .noThumbnail,
                detail:
                    "this server makes no thumbnails, and the picture is \(file.type.mediaType); ask for the original")
        }
    }

    private static func vary(_ response: APIResponse) -> APIResponse {
        var response = response
        response.fields[.vary] = "Accept"
        return response
    }

    private static func redirect(to address: String) -> APIResponse {
        var response = APIResponse(.temporaryRedirect)
        response.fields[.location] = address
        response.fields[.cacheControl] = "private, no-cache"
        // Do not reveal to other servers which page requested the picture.
        response.fields[.referrerPolicy] = "no-referrer"
        return response
    }

    private static func answer(_ file: PictureFile, as mediaType: String, to call: APICall) throws -> APIResponse {
        let validators = PictureConditions.Validators(
            tag: EntityTag(of: file), modified: HTTPDate(seconds: file.version.modifiedNanoseconds / 1_000_000_000),
            isStrong: file.version.isSettled)
        let (whole, conditions) = (
            0..<file.byteCount, PictureConditions(call.method, validators: validators) { call.headers[$0] }
        )
        let selection = conditions == .range ? ByteRangeSelection(call.headers[.range], of: whole.upperBound) : .whole
        var response: APIResponse
        switch (conditions, selection) {
        case (.failed, _):
            return APIResponse(
                Problem(.preconditionFailed, detail: "the picture is not the version that the request names"),
                for: call.audience)
        case (.notModified, _): response = APIResponse(.notModified)
        case (_, .whole): response = APIResponse(file, as: mediaType, range: whole)
        case (_, .part(let range)):
            response = APIResponse(file, as: mediaType, range: range)
            response.status = .partialContent
            response.fields[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(whole.upperBound)"
        case (_, .unsatisfiable):
            response = APIResponse(
                Problem(
                    .unsatisfiableRange,
                    detail: "the picture has \(whole.upperBound) bytes, and the range includes none of them"),
                for: call.audience)
            response.fields[.contentRange] = "bytes */\(whole.upperBound)"
            return response
        }
        response.fields[.eTag] = (validators.isStrong ? "" : "W/") + validators.tag.text
        if validators.isStrong, let modified = validators.modified { response.fields[.lastModified] = "\(modified)" }
        response.fields[.acceptRanges] = "bytes"
        response.fields[.cacheControl] = "private, no-cache"
        if response.status != .notModified {
            response.fields[.contentDisposition] =
                FileDisposition(of: file, photo: try call.photo, for: call.audience).text
        }
        response.protectPicture()
        return response
    }
}

extension APIResponse {
    /// Adds the header fields of pictures: pages of other sites cannot show them, and their scripts do not run.
    mutating func protectPicture() {
        fields[.crossOriginResourcePolicy] = "same-site"
        fields[.contentSecurityPolicy] = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
    }
}
