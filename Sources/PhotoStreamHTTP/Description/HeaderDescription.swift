import HTTPTypes
import PhotoStreamService
import PhotoStreamWire

/// A header field of answers in the OpenAPI document.
enum HeaderDescription: String, CaseIterable {
    case acceptRanges = "Accept-Ranges"
    case allow = "Allow"
    case cacheControl = "Cache-Control"
    case contentDisposition = "Content-Disposition"
    case contentRange = "Content-Range"
    case entityTag = "ETag"
    case lastModified = "Last-Modified"
    case location = "Location"
    case photoStreamRevision = "PhotoStream-Revision"
    case requestID = "X-Request-ID"
    case retryAfter = "Retry-After"
    case serverTiming = "Server-Timing"
    case setCookie = "Set-Cookie"
    case vary = "Vary"
    case wwwAuthenticate = "WWW-Authenticate"

    /// The description of the field.
    var summary: String {
        switch self {
        case .acceptRanges: "Ranges of bytes are supported."
        case .allow: "The methods of the address: HEAD wherever GET is."
        case .cacheControl: "How long the answer may be reused without asking again."
        case .contentDisposition: "The name under which the picture is saved: the last component of its location."
        case .contentRange: "The range of these bytes, and the length of the whole."
        case .entityTag: "The validator of the answer, for If-None-Match and If-Match."
        case .lastModified: "The time of the picture's last change."
        case .location: "The address of the resource."
        case .photoStreamRevision: "The state of the file after the write, for If-Revision-At-Least at another server."
        case .requestID: "The id of the request, as in the server's log."
        case .retryAfter: "The number of seconds after which to ask again."
        case .setCookie: "The session, or its end."
        case .wwwAuthenticate: "That a token is needed."
        case .serverTiming: "The milliseconds that each stage took."
        case .vary: "The request fields on which the form of the answer depends."
        }
    }

    /// Returns the fields of an answer of a route.
    static func all(of status: Int, _ route: Route) -> [HeaderDescription] {
        var headers: [HeaderDescription] = status < 400 ? [.requestID, .serverTiming] : [.requestID]
        switch status {
        case 200..<300:
            if route.isCacheable { headers += [.entityTag, .cacheControl] }
            if route.isCacheable, !route.isPartial { headers.append(.vary) }
            // A move does not answer with the same body as `GET`.
            if route.isConditional && route.method != .post && status != 204 || status == 201 {
                headers.append(.entityTag)
            }
            if route.writes { headers.append(.photoStreamRevision) }
            if route.sendsEvents { headers.append(.cacheControl) }
            if route.isPartial { headers += [.acceptRanges, .contentDisposition, .lastModified] }
            if status == 201, route.method == .post { headers.append(.location) }
            if route.path == SessionRoutes.path, route.method != .get { headers.append(.setCookie) }
            if status == 206 { headers.append(.contentRange) }
        case 401: headers.append(.wwwAuthenticate)
        case 304: headers += [.entityTag, .cacheControl]
        case 300..<400: headers += route.path == SignInRoutes.path ? [.location, .setCookie] : [.location]
        case 416: headers.append(.contentRange)
        case 429, 503: headers.append(.retryAfter)
        default: break
        }
        return headers
    }
}

extension JSONMembers {
    /// The descriptions of all fields, by their names.
    static var headerDescriptions: JSONMembers {
        JSONMembers(
            HeaderDescription.allCases.map { header in
                (header.rawValue, ["description": header.summary, "schema": Schema.someText] as JSONMembers)
            })
    }

    /// Returns references to the descriptions of fields.
    static func headers(_ headers: [HeaderDescription]) -> JSONMembers {
        JSONMembers(
            headers.map { ($0.rawValue, ["$ref": "#/components/headers/\($0.rawValue)"] as JSONMembers) })
    }
}
