import HTTPTypes
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// The routes of places in a layout: elements, photos, points, scroll positions, updates.
enum LayoutPlaceRoutes {
    private static let kinds: [ElementKind] = [
        .sectionHeader, .sectionFooter, .badge, .sectionBackground, .separator,
    ]

    static let elements = Route(
        method: .get, path: LayoutRoutes.path("/elements"), operation: "getElements", access: .read,
        summary: "Elements of one kind other than photos: around sections, on photos and between lines.",
        parameters: [
            RouteParameter("kind", as: .words(kinds.map(\.name)), summary: "The kind.").required,
            RouteParameter(
                "section", as: .integer(0...Int.max),
                summary: "The section; without it, all sections. Badges and separators require `section`."),
            RouteParameter(
                "from", as: .integer(0...Int.max),
                summary: "The section, or the item of the section, to begin with: `next` of the previous answer."),
            .limit, .revision,
        ] + RouteParameter.viewOptions,
        isCacheable: true, answers: [.init(schema: "Elements")],
        problems: LayoutRoutes.commonProblems + [.indexOutOfRange]
    ) { call in
        let (stream, key, limit) = (try call.stream, try call.requiredLayoutKey(), try call.limit())
        let kind = try call.query.required("kind", expecting: "one of " + kinds.map(\.name).joined(separator: ", ")) {
            name in
            kinds.first { $0.name == name }
        }
        let section = try call.query.natural("section")
        let first = try call.query.natural("from") ?? 0
        return try call.answer(with: key, of: stream) { layout in
            try layout.elements(ofKind: kind, section: section, from: first, limit: limit)
        } encode: { answer in
            .json { $0.value(answer) }
        }
    }

    static let locate = Route(
        method: .get, path: LayoutRoutes.path("/locate"), operation: "locatePhoto", access: .read,
        summary: "The place of a photo: index, frame and section, and the cursor of a page that contains it.",
        parameters: [
            RouteParameter("photo", as: .photoID, summary: "The photo's id.").required,
            RouteParameter(
                "limit", as: .integer(1...PhotoStreamService.maximumLimit),
                summary: "The limit of the pages. (default: \(PhotoStreamService.defaultLimit))"),
            .fields, .revision,
        ] + RouteParameter.viewOptions,
        isCacheable: true, answers: [.init(schema: "Location")],
        problems: LayoutRoutes.commonProblems + [.unknownPhoto]
    ) { call in
        let (stream, key, fields) = (try call.stream, try call.requiredLayoutKey(), try call.fields())
        let limit = try call.limit()
        let name = try call.query.required("photo", expecting: "a photo's id") { $0 }
        let id = try call.name(name, of: "photo", as: PhotoID.init(_:))
        return try call.answer(with: key, of: stream, showingPictures: fields.showPictures) { layout in
            try layout.locate(id, limit: limit)
        } encode: { answer in
            .json { $0.value(answer, fields: fields) }
        }
    }

    static let at = Route(
        method: .get, path: LayoutRoutes.path("/at"), operation: "getItemAt", access: .read,
        summary: "The photo at a point, and the place of a photo that is dropped there.",
        parameters: [
            .x, .y,
            RouteParameter(
                "nearest", as: .flag,
                summary: "Return the nearest photo if none is at the point. (default: false)"),
            .fields, .revision,
        ] + RouteParameter.viewOptions, isCacheable: true,
        answers: [.init(schema: "Point")], problems: LayoutRoutes.commonProblems
    ) { call in
        let (stream, key, fields) = (try call.stream, try call.requiredLayoutKey(), try call.fields())
        let (point, orNearest) = (try call.point(), try call.query.flag("nearest") ?? false)
        return try call.answer(with: key, of: stream, showingPictures: fields.showPictures) { layout in
            try layout.at(point, orNearest: orNearest)
        } encode: { answer in
            .json { $0.value(answer, fields: fields) }
        }
    }

    static let scrubber = Route(
        method: .get, path: LayoutRoutes.path("/scrubber"), operation: "getScrubber", access: .read,
        summary: "The section, photo and day at even distances of the content.",
        parameters: [
            RouteParameter(
                "steps", as: .integer(1...PhotoStreamService.maximumScrubberSteps),
                summary: "The number of stops. (default: 20)"),
            .revision,
        ] + RouteParameter.viewOptions,
        isCacheable: true, answers: [.init(schema: "Scrubber")], problems: LayoutRoutes.commonProblems
    ) { call in
        let (stream, key) = (try call.stream, try call.requiredLayoutKey())
        let steps = try call.query.natural("steps") ?? 20
        return try call.answer(with: key, of: stream) { layout in
            try layout.scrubber(steps: steps)
        } encode: { answer in
            .json { $0.value(answer) }
        }
    }

    static let target = Route(
        method: .get, path: LayoutRoutes.path("/target"), operation: "getTarget", access: .read,
        summary: "The offset at which scrolling should come to rest.",
        parameters: [
            .x, .y,
            RouteParameter(
                "velocity", as: .number(nil),
                summary: "The velocity of scrolling, positive towards greater offsets. (default: 0)"),
            RouteParameter("viewport", as: .numbers(2), summary: "The visible bounds: width,height in points.")
                .required,
            RouteParameter(
                "snap", as: .words(snappings.map(\.name)),
                summary: "The places at which it may come to rest. (default: line-starts)"),
            .revision,
        ] + RouteParameter.viewOptions,
        isCacheable: true, answers: [.init(schema: "Target")], problems: LayoutRoutes.commonProblems
    ) { call in
        let (stream, key, point) = (try call.stream, try call.requiredLayoutKey(), try call.point())
        let velocity = try call.query.number("velocity") ?? 0
        let viewport = try call.viewport()
        let names = snappings.map(\.name).joined(separator: ", ")
        let snapping = try call.query.value("snap", expecting: "one of " + names) { name in
            snappings.first { $0.name == name }?.snapping
        }
        return try call.answer(with: key, of: stream) { layout in
            try layout.target(
                forProposed: point, velocity: velocity, viewport: viewport, snapping: snapping ?? .lineStarts)
        } encode: { answer in
            .json { $0.value(answer) }
        }
    }

    private static let snappings: [(name: String, snapping: ScrollSnapping)] = [
        ("none", .none), ("line-starts", .lineStarts), ("item-centers", .itemCenters),
    ]

    static let updates = Route(
        method: .get, path: LayoutRoutes.path("/updates"), operation: "getUpdates", access: .read,
        summary: """
            The elements that have appeared, disappeared or moved in a rectangle since a revision, or the reason why \
            they are unknown.
            """,
        parameters: [
            .since, RouteParameter.rect.required,
            RouteParameter(
                "keep", as: .words(ScrollKeeping.allCases.map(\.rawValue)),
                summary:
                    "The part of the scroll position that is kept: the place on the screen of the first visible photo, "
                    + "or the content offset. (default: item)"),
            RouteParameter(
                "fields", as: .wordList(ItemField.allCases.map(\.rawValue)),
                summary: "Also show the photos that were inserted or are drawn again, with these members."),
            .revision,
        ] + RouteParameter.viewOptions,
        isCacheable: true, answers: [.init(schema: "Updates")], problems: LayoutRoutes.commonProblems, work: .scanning
    ) { call in
        let (stream, key, since) = (try call.stream, try call.requiredLayoutKey(), try call.since())
        guard let rect = try call.rect("rect") else {
            throw Problem(.missingParameter, detail: "the parameter rect is missing", parameter: "rect")
        }
        let words = ScrollKeeping.allCases.map(\.rawValue).joined(separator: " or ")
        let keeping = try call.query.value("keep", expecting: words, read: ScrollKeeping.init(rawValue:)) ?? .item
        let (withPhotos, fields) = (call.query["fields"] != nil, try call.fields())
        let isRefused = try call.audience != nil && call.condition() != nil
        return try call.answer(with: key, of: stream, showingPictures: withPhotos && fields.showPictures) { layout in
            // As for changes.
            if isRefused { return try layout.refusedUpdates(since: since) }
            return try layout.updates(since: since, in: rect, keeping: keeping, withPhotos: withPhotos)
        } encode: { answer in
            .json { $0.value(answer, fields: fields) }
        }
    }
}
