import HTTPTypes
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// The routes of layouts.
enum LayoutRoutes {
    static func path(_ ending: String = "") -> RoutePath { RoutePath("/v1/streams/{stream}/layout" + ending) }

    static let commonProblems: [ProblemKind] = [
        .unknownStream, .invalidName, .invalidParameter, .missingParameter, .invalidLayout, .otherRevision, .outdated,
    ]

    static let summary = Route(
        method: .get, path: path(), operation: "getLayout", access: .read,
        summary: "A layout as a whole: exact content size, counts, sections; with `first`, also the first page.",
        parameters: [
            RouteParameter(
                "first", as: .integer(1...PhotoStreamService.maximumLimit),
                summary: "Also return the first page, with this many photos."
            ),
            RouteParameter(
                "from-section", as: .integer(0...Int.max), summary: "The section to begin with, counted from 0."),
            RouteParameter(
                "limit", as: .integer(1...PhotoStreamService.maximumLimit),
                summary: "The maximum number of sections. (default: \(PhotoStreamService.defaultLimit))"),
            .fields, .revision,
        ] + RouteParameter.viewOptions,
        isCacheable: true, answers: [.init(schema: "Layout")], problems: commonProblems
    ) { call in
        let (stream, key, limit) = (try call.stream, try call.requiredLayoutKey(), try call.limit())
        let (first, fields) = (try call.checkedLimit("first"), try call.fields())
        let section =
            try call.query.natural("from-section") ?? 0
        guard first != nil || call.query["fields"] == nil else {
            throw Problem(.missingParameter, detail: "fields requires first", parameter: "first")
        }
        guard let first else {
            return try call.answer(with: key, of: stream) { layout in
                try layout.summary(sectionsFrom: section, sectionLimit: limit)
            } encode: { answer in
                .json { $0.value(answer) }
            }
        }
        return try call.answer(with: key, of: stream, showingPictures: fields.showPictures) { layout in
            try layout.firstPaint(sectionsFrom: section, sectionLimit: limit, limit: first)
        } encode: { answer in
            .json { $0.value(answer, fields: fields) }
        }
    }

    static let page = Route(
        method: .get, path: path("/page"), operation: "getPage", access: .read,
        summary: "A page of photos in stream order: the first of a layout, or the one after a cursor.",
        parameters: [
            .limit, .cursor, .fields, .ids, .pictures, .sizes, .revision,
        ] + RouteParameter.viewOptions,
        isCacheable: true, answers: [.init(200, types: forms, schema: "Page")],
        problems: commonProblems + [.invalidCursor]
    ) { call in
        let (stream, limit, fields) = (try call.stream, try call.limit(), try call.fields())
        let form = try call.binaryForm()
        let cursor = call.query["cursor"]
        let key = try cursor == nil ? call.requiredLayoutKey() : call.layoutKey()
        let start = cursor.map(PageStart.after) ?? .first
        return try call.answer(
            with: key, of: stream, after: cursor, showingPictures: form.showsPictures(fields),
            isReady: { layout in try layout.isReady(for: start) }
        ) { layout in
            try layout.page(start, limit: limit, withPhotos: form.readsPhotos)
        } encode: { page in
            guard form.isBinary else { return .json { $0.value(page, fields: fields) } }
            return .binary(BinaryFrames(page), form.parts(of: page.items))
        }
    }

    static let rect = Route(
        method: .get, path: path("/rect"), operation: "getRect", access: .read,
        summary: "Everything that meets a rectangle: photos, headers, footers, badges, backgrounds, separators.",
        parameters: [
            .rect, .limit, .cursor,
            RouteParameter(
                "bounds", as: .numbers(4),
                summary: "The visible bounds, to which elements are pinned. (default: rect)"),
            .fields, .ids, .pictures, .sizes, .revision,
        ] + RouteParameter.viewOptions,
        isCacheable: true, answers: [.init(200, types: forms, schema: "Rect")],
        problems: commonProblems + [.invalidCursor]
    ) { call in
        let (stream, limit, fields) = (try call.stream, try call.limit(), try call.fields())
        let (rect, cursor) = (try call.rect("rect"), call.query["cursor"])
        let bounds = try call.rect("bounds")
        let form = try call.binaryForm()
        let key = try cursor == nil ? call.requiredLayoutKey() : call.layoutKey()
        guard rect == nil || cursor == nil else {
            throw Problem(
                .invalidParameter, detail: "the cursor contains the rectangle; leave out rect", parameter: "rect")
        }
        guard let start = rect.map(RectStart.first) ?? cursor.map(RectStart.after) else {
            throw Problem(.missingParameter, detail: "rect or cursor is missing", parameter: "rect")
        }
        return try call.answer(
            with: key, of: stream, after: cursor, showingPictures: form.showsPictures(fields),
            isReady: { layout in try layout.isReady(for: start) }
        ) { layout in
            try layout.rect(start, visibleBounds: bounds, limit: limit, withPhotos: form.readsPhotos)
        } encode: { answer in
            guard form.isBinary else { return .json { $0.value(answer, fields: fields) } }
            return .binary(BinaryFrames(answer), form.parts(of: answer.items))
        }
    }

    static let items = Route(
        method: .get, path: path("/items"), operation: "getItems", access: .read,
        summary: "Consecutive photos by their positions in stream order, or photos by their ids.",
        parameters: [
            RouteParameter(
                "from", as: .integer(0...Int.max),
                summary: "The position of the first, from 0 to the number of photos. (default: 0)"),
            RouteParameter(
                "count", as: .integer(1...PhotoStreamService.maximumLimit),
                summary: "The number of photos. (default: \(PhotoStreamService.defaultLimit))"),
            .id, .fields, .ids, .pictures, .sizes, .revision,
        ] + RouteParameter.viewOptions,
        isCacheable: true, answers: [.init(200, types: forms, schema: "Items")],
        problems: commonProblems + [.indexOutOfRange, .fieldsTooLarge, .addressTooLong]
    ) { call in
        let (stream, key, fields) = (try call.stream, try call.requiredLayoutKey(), try call.fields())
        let form = try call.binaryForm()
        let wanted = try call.photoIDs(without: ["from", "count"])
        let first = try call.query.natural("from") ?? 0
        let count = try call.checkedLimit("count") ?? PhotoStreamService.defaultLimit
        return try call.answer(with: key, of: stream, showingPictures: form.showsPictures(fields)) { layout in
            guard let wanted else {
                return try layout.items(from: first, count: count, withPhotos: form.readsPhotos)
            }
            return try layout.items(withIDs: wanted)
        } encode: { answer in
            guard form.isBinary else { return .json { $0.value(answer, fields: fields) } }
            // A client that requests photos by id has to know which of them the answer contains.
            return .binary(
                BinaryFrames(answer), form.parts(of: answer.items, alwaysWithIDs: wanted != nil),
                limitedBy: wanted == nil ? "count" : "id")
        }
    }

    static let cluster = Route(
        method: .get, path: path("/cluster"), operation: "getCluster", access: .read,
        summary: "The photos of a cluster of a map, or those without a position, in stream order.",
        parameters: [
            RouteParameter(
                "x", as: .number(nil), summary: "A coordinate in points of the content, in the cluster's cell."),
            RouteParameter(
                "y", as: .number(nil), summary: "A coordinate in points of the content, in the cluster's cell."),
            RouteParameter(
                "unlocated", as: .flag,
                summary: "Return the photos without a position, instead of those at x and y. (default: false)"),
            .limit, .cursor, .fields, .revision,
        ] + RouteParameter.viewOptions,
        isCacheable: true, answers: [.init(schema: "ClusterPhotos")], problems: commonProblems + [.invalidCursor]
    ) { call in
        let (stream, limit, fields) = (try call.stream, try call.limit(), try call.fields())
        let cursor = call.query["cursor"]
        let start = try call.clusterStart(after: cursor)
        let key = try cursor == nil ? call.requiredLayoutKey() : call.layoutKey()
        return try call.answer(
            with: key, of: stream, after: cursor, showingPictures: fields.showPictures,
            isReady: { layout in try layout.isReady(for: start) }
        ) { layout in
            try layout.cluster(start, limit: limit)
        } encode: { answer in
            .json { $0.value(answer, fields: fields) }
        }
    }

    /// The media types of an answer with the places of photos.
    private static let forms = [MediaTypes.json, MediaTypes.binary]
}
