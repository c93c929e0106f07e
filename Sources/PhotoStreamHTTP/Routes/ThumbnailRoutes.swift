import HTTPTypes
import PhotoStreamModel
import PhotoStreamService

/// The route of thumbnails by the keys of their pictures, whose addresses always have the same bytes.
enum ThumbnailRoutes {
    static let path = RoutePath("/v1/images/{key}/{file}")

    static let show = Route(
        method: .get, path: path, operation: "getThumbnail", access: .scopeOrSignature(.read),
        summary: """
            A thumbnail by the key of its picture, which answers about photos contain. The bytes at an address never \
            change; a changed picture has another key. If answers contain signed addresses, which need no token, an \
            address without a signature redirects to the signed one.
            """,
        parameters: [
            RouteParameter("e", as: .text, summary: "The time at which a signed address ends."),
            RouteParameter("s", as: .text, summary: "The code of a signed address."),
        ],
        isCacheable: true,
        answers: [
            .init(200, types: ThumbnailFormat.allCases.map(\.mediaType), schema: "The thumbnail."),
            .init(307, types: [], schema: "The thumbnail is at its signed address."),
        ], problems: [.invalidName, .pictureNotFound, .noThumbnail, .unsignedAddress], work: .opening
    ) { call in
        let (key, file) = (call.path["key"] ?? "", call.path["file"] ?? "")
        guard let kind = kind(named: file) else {
            throw Problem(
                .invalidName,
                detail: "\"\(file)\" is not a size and a format, such as 640.webp or 320.jpg", parameter: "file")
        }
        guard let pictures = call.pictures else {
            throw Problem(.noThumbnail, detail: "this server makes no thumbnails; ask for the photo's original")
        }
        let (stream, signed) = (call.grant.stream, call.grant.picture)
        if signed == nil,
            let address = try await call.blocking({ try pictures.signedAddress(of: key, as: kind, in: stream) })
        {
            return call.redirect(to: address)
        }
        let found = try await call.blocking {
            try pictures.lookUp(kind, ofKey: signed?.key.description ?? key, in: stream)
        }
        call.times.end("lookup")
        switch try await call.made(found, by: pictures) {
        case .thumbnail(let thumbnail):
            guard let signed else {
                return call.response(thumbnail, caching: "private, max-age=31536000, immutable")
            }
            // The validator has the key of the address, and the answer is cached only while the address is valid.
            var response = call.response(
                thumbnail.named(key), caching: "public, max-age=\(signed.seconds), immutable")
            response.fields[.crossOriginResourcePolicy] = "cross-origin"
            return response
        case .undecodable(let reason, let color):
            return try call.response(withoutThumbnail: reason, color: color)
        case .unavailable, .original, .address:
            throw Problem(
                .noThumbnail, detail: "the thumbnail is not stored, and this server makes none")
        }
    }

    /// Returns the thumbnail kind of a name such as `640.webp`; `nil` for any other text.
    static func kind(named file: String) -> ThumbnailKind? {
        let parts = file.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let size = ThumbnailSize.allCases.first(where: { String($0.rawValue) == parts[0] }),
            let format = ThumbnailFormat.allCases.first(where: { $0.pathExtension == parts[1] })
        else { return nil }
        return ThumbnailKind(size, as: format)
    }
}

extension APICall {
    /// Returns the redirect to a signed address, which browsers cache for an hour.
    fileprivate func redirect(to address: String) -> APIResponse {
        var response = APIResponse(.temporaryRedirect)
        response.fields[.location] = address
        response.fields[.cacheControl] = "private, max-age=3600"
        response.protectPicture()
        return response
    }

    /// Returns the answer of a lookup, and makes the thumbnail if necessary.
    mutating func made(_ found: ThumbnailLookup, by pictures: PictureMaker) async throws -> ThumbnailAnswer {
        switch found {
        case .answer(let answer): return answer
        case .job(let job):
            let place = try thumbnails.place(for: client)
            defer { withExtendedLifetime(place) {} }
            let answer = try await pictures.make(job)
            times.end("make")
            return answer
        }
    }

    /// Returns the response with a thumbnail, or a 304 if the client has it.
    func response(_ thumbnail: PictureThumbnail, caching: String) -> APIResponse {
        let tag = EntityTag(of: thumbnail.kind, key: thumbnail.key)
        var response: APIResponse
        if clientHas(tag) {
            response = APIResponse(.notModified)
        } else {
            response = APIResponse(contentType: thumbnail.kind.format.mediaType, body: thumbnail.bytes)
        }
        response.fields[.eTag] = tag.text
        response.fields[.cacheControl] = caching
        response.protectPicture()
        return response
    }

    /// Returns the response for a picture that cannot be decoded: one pixel of its colour for an image element.
    ///
    /// - Parameters:
    ///   - reason: The reason, in one sentence without a path.
    ///   - color: The colour of the picture; `nil` for grey.
    /// - Returns: The response, which is not cached because the picture may be decoded later.
    /// - Throws: ``Problem`` for clients other than image elements.
    func response(withoutThumbnail reason: String, color: RGBColor?) throws(Problem) -> APIResponse {
        let ranges = headers[.accept].map(QualityList.init)?.entries ?? []
        // Image elements name image types; programs that accept anything can read a problem.
        guard ranges.contains(where: { $0.name.hasPrefix("image/") && $0.quality > 0 }) else {
            throw Problem(.noThumbnail, detail: "there is no thumbnail: \(reason)")
        }
        let bytes = OnePixel.png(color ?? OnePixel.unknownColor)
        var response = APIResponse(contentType: PictureType.png.mediaType, body: bytes)
        response.fields[.cacheControl] = "no-store"
        response.protectPicture()
        return response
    }
}
