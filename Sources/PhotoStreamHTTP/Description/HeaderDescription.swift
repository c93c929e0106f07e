import HTTPTypes
import PhotoStreamService
import PhotoStreamWire

/// A field of answers, as the description of the interface tells it.
enum HeaderDescription: String, CaseIterable {
    case acceptRanges = "Accept-Ranges"
    case allow = "Allow"
    case cacheControl = "Cache-Control"
    case contentRange = "Content-Range"
    case entityTag = "ETag"
    case lastModified = "Last-Modified"
    case location = "Location"
    case requestID = "X-Request-ID"
    case retryAfter = "Retry-After"
    case serverTiming = "Server-Timing"
    case vary = "Vary"

    /// What it says.
    var summary: String {
        switch self {
        case .acceptRanges: "That parts of the bytes can be asked for."
        case .allow: "The methods that the address knows: HEAD wherever GET is."
        case .cacheControl: "How long the answer may be used without asking again."
        case .contentRange: "Which bytes these are, and of how many."
        case .entityTag: "The validator of what is answered, for If-None-Match and If-Match."
        case .lastModified: "When the picture was changed last."
        case .location: "Where it is."
        case .requestID: "The id under which the server's log has the request."
        case .retryAfter: "In how many seconds to ask again."
        case .serverTiming: "How many milliseconds each stage took."
        case .vary: "The fields of the request that the form of the answer depends on."
        }
    }

    /// Those of an answer of a route.
    static func all(of status: Int, _ route: Route) -> [HeaderDescription] {
        var headers: [HeaderDescription] = status < 400 ? [.requestID, .serverTiming] : [.requestID]
        switch status {
        case 200..<300:
            if route.isCacheable { headers += [.entityTag, .cacheControl] }
            if route.isCacheable, !route.isPartial { headers.append(.vary) }
            // A move answers with something else than what `GET` does.
            if route.isConditional && route.method != .post && status != 204 || status == 201 {
                headers.append(.entityTag)
            }
            if route.isPartial { headers += [.acceptRanges, .lastModified] }
            if status == 201, route.method == .post { headers.append(.location) }
            if status == 206 { headers.append(.contentRange) }
        case 304: headers += [.entityTag, .cacheControl]
        case 300..<400: headers.append(.location)
        case 416: headers.append(.contentRange)
        case 429, 503: headers.append(.retryAfter)
        default: break
        }
        return headers
    }
}

extension JSONWriter {
    /// Writes what all answers' fields say, by their names.
    mutating func headerDescriptions() {
        object { writer in
            for header in HeaderDescription.allCases {
                writer.key(named: header.rawValue)
                writer.object { writer in
                    writer.key("description")
                    writer.value(header.summary)
                    writer.key("schema")
                    writer.value(Schema.someText)
                }
            }
        }
    }

    /// Writes which fields an answer has.
    mutating func headers(_ headers: [HeaderDescription]) {
        key("headers")
        object { writer in
            for header in headers {
                writer.key(named: header.rawValue)
                writer.object { writer in
                    writer.key("$ref")
                    writer.value("#/components/headers/\(header.rawValue)")
                }
            }
        }
    }
}
