import HTTPTypes
import PhotoStreamModel
import PhotoStreamService

/// The route of thumbnails by the keys of their pictures: addresses whose bytes never change.
enum ThumbnailRoutes {
    static let path = RoutePath("/v1/images/{key}/{file}")

    static let show = Route(
        method: .get, path: path, operation: "getThumbnail", access: .scopeOrSignature(.read),
        summary: """
            A thumbnail by the key of its picture, which answers about photos show. The bytes at an address never change; a \
            picture that changes has another key. If answers show signed addresses, which need no token, the answer to an \
            address without a signature is a redirect to the signed one.
            """,
        parameters: [
            RouteParameter("e", as: .text, summary: "Of a signed address: the time at which it ends."),
            RouteParameter("s", as: .text, summary: "Of a signed address: its code."),
        ],
        isCacheable: true,
        answers: [
            .init(200, types: ThumbnailFormat.allCases.map(\.mediaType), schema: "The thumbnail."),
            .init(307, types: [], schema: "The thumbnail is at its signed address."),
        ], problems: [.invalidName, .pictureNotFound, .noThumbnail, .unsignedAddress], work: .opening,
        handling: .suspending { call in
            let (key, kind) = (call.path["key"] ?? "", try kind(of: call.path["file"] ?? ""))
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
                // Under the name that the address has for it, and no longer than the address is valid.
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
    )

    /// Reads the last part of the address.
    private static func kind(of file: String) throws(Problem) -> ThumbnailKind {
        guard let kind = kind(named: file) else {
            throw Problem(
                .invalidName,
                detail: "\"\(file)\" is not a size and a format, such as 640.webp or 320.jpg", parameter: "file")
        }
        return kind
    }

    /// Returns the kind that a name such as `640.webp` has; `nil` for any other text.
    static func kind(named file: String) -> ThumbnailKind? {
        let parts = file.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let size = ThumbnailSize.allCases.first(where: { String($0.rawValue) == parts[0] }),
            let format = ThumbnailFormat.allCases.first(where: { $0.pathExtension == parts[1] })
        else { return nil }
        return ThumbnailKind(size, as: format)
    }
}

extension APICall {
    /// Returns the redirect to a signed address, which a browser remembers for an hour.
    fileprivate func redirect(to address: String) -> APIResponse {
        var response = APIResponse(.temporaryRedirect)
        response.fields[.location] = address
        response.fields[.cacheControl] = "private, max-age=3600"
        response.protectPicture()
        return response
    }

    /// Returns the answer of a lookup, or makes it.
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

    /// Returns the response with a thumbnail; 304 if the client has it.
    func response(_ thumbnail: PictureThumbnail, caching: String) -> APIResponse {
        let tag = EntityTag(of: thumbnail.kind, key: thumbnail.key)
        var response: APIResponse
        if let condition = headers[.ifNoneMatch], EntityTagCondition(condition).matchesWeakly(tag) {
            response = APIResponse(.notModified)
        } else {
            response = APIResponse(contentType: thumbnail.kind.format.mediaType, body: thumbnail.bytes)
        }
        response.fields[.eTag] = tag.text
        response.fields[.cacheControl] = caching
        response.protectPicture()
        return response
    }

    /// Returns the response for a picture that cannot be decoded: one pixel of its colour for an image element, and a
    /// problem for any other client.
    ///
    /// - Parameters:
    ///   - reason: The reason, in one sentence without a path.
    ///   - color: The colour that stands for it; grey if none is known.
    /// - Returns: The response, which is not cached: the picture may be decoded later.
    /// - Throws: ``Problem``.
    func response(withoutThumbnail reason: String, color: RGBColor?) throws(Problem) -> APIResponse {
        let ranges = headers[.accept].map(QualityList.init)?.entries ?? []
        // Programs that accept anything can read a problem; image elements name types of images.
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
