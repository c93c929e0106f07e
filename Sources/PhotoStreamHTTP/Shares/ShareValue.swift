import PhotoStreamModel

/// The part of a JSON value that a share shows: a list of members, so that a new one is hidden until it is added here.
indirect enum ShareValue: Sendable {
    /// A text, a number or a Boolean that is shown as it is.
    case plain
    /// A coordinate, which only some shares show.
    case position
    /// The id of a photo.
    case photoID
    /// The key of a picture.
    case pictureKey
    /// A cursor.
    case cursor
    /// An array.
    case list(ShareValue)
    /// An object, with the members that are shown.
    case object([String: ShareValue])

    /// An object of which all members are shown as they are.
    private static func plain(_ names: String...) -> ShareValue { .object(members(names)) }

    private static func members(_ names: [String]) -> [String: ShareValue] {
        Dictionary(uniqueKeysWithValues: names.map { ($0, .plain) })
    }

    private static func merged(_ parts: [String: ShareValue]...) -> [String: ShareValue] {
        parts.reduce(into: [:]) { $0.merge($1) { $1 } }
    }

    // MARK: - Photos

    /// The members of all objects with a photo.
    private static let texts = merged(
        members(["takenAt", "takenAtPrecision", "title", "caption", "alt", "color", "placeholder", "metrics"]),
        ["tags": .list(.plain), "latitude": .position, "longitude": .position])

    static let photo = ShareValue.object(
        merged(
            texts, members(["width", "height", "orientation"]),
            [
                "id": .photoID,
                "picture": .object([
                    "key": .pictureKey, "placeholder": .plain, "color": .plain, "thumbnails": thumbnails,
                ]),
            ]))

    /// Signed addresses, which name the picture by a text of their own.
    private static let thumbnails = ShareValue.object(members(ThumbnailSize.allCases.map { String($0.rawValue) }))

    private static let frame = plain("x", "y", "width", "height")
    private static let extent = plain("width", "height")

    private static let item = ShareValue.object(
        merged(
            texts,
            members([
                "index", "kind", "section", "item", "captionExtent", "zIndex", "hidden", "pixelWidth", "pixelHeight",
            ]),
            ["photo": .photoID, "frame": frame, "pictureKey": .pictureKey, "thumbnails": thumbnails]))

    private static let element = ShareValue.object(
        merged(members(["kind", "section", "item", "index", "zIndex"]), ["frame": frame]))

    // MARK: - Layouts

    private static let context = merged(members(["stream", "revision", "state", "layoutKey"]), ["contentSize": extent])

    static let page = ShareValue.object(
        merged(
            context, members(["chainRevision", "chainState", "inPlace", "truncated"]),
            ["items": .list(item), "nextCursor": .cursor]))

    static let layout = ShareValue.object(
        merged(
            context, members(["count", "sectionCount", "nextSection"]),
            [
                "world": frame, "page": page,
                "sections": .list(
                    .object(merged(members(["section", "id", "firstIndex", "count"]), ["frame": frame]))),
            ]))

    static let rect = ShareValue.object(
        merged(
            context, members(["truncated"]),
            ["items": .list(item), "elements": .list(element), "nextCursor": .cursor]))

    static let items = ShareValue.object(
        merged(context, members(["count", "truncated"]), ["items": .list(item), "missing": .list(.photoID)]))

    static let search = ShareValue.object(
        merged(
            context, members(["matches", "complete"]),
            ["world": frame, "items": .list(item), "elements": .list(element)]))

    static let elements = ShareValue.object(merged(context, members(["next"]), ["elements": .list(element)]))

    static let place = ShareValue.object(merged(context, ["item": item, "cursor": .cursor]))

    static let point = ShareValue.object(
        merged(
            context,
            [
                "item": item,
                "insertion": .object(
                    merged(members(["section", "item", "index"]), ["before": .photoID, "after": .photoID])),
            ]))

    static let target = ShareValue.object(merged(context, ["contentOffset": plain("x", "y")]))

    static let scrubber = ShareValue.object(
        merged(context, ["stops": .list(plain("offset", "section", "id", "index", "day", "precision"))]))

    // MARK: - Changes

    private static let update: ShareValue = {
        let attributes = ShareValue.object(
            merged(members(["index", "section", "item", "captionExtent", "zIndex", "alpha"]), ["frame": frame]))
        return .object([
            "kind": .plain, "photo": .photoID, "old": attributes, "new": attributes, "initial": attributes,
            "final": attributes,
        ])
    }()

    private static let reload = plain("reason", "message")

    static let updates = ShareValue.object(
        merged(
            context, members(["since", "sinceState", "contentOffset"]),
            [
                "oldContentSize": extent, "oldBounds": frame, "newBounds": frame, "anchor": .photoID,
                "insertions": .list(update), "deletions": .list(update), "moves": .list(update),
                "reloads": .list(update), "reload": reload,
            ]))

    private static let change = merged(members(["change", "updated"]), ["id": .photoID, "photo": photo])

    /// Changes as one object or as lines, of which each is one of these; and the data of events.
    static let changes = ShareValue.object(
        merged(
            members(["stream", "since", "sinceState", "revision", "state", "complete", "pictureRevision"]), change,
            ["changes": .list(.object(change)), "reload": reload]))

    // MARK: - Others

    static let stream = plain("stream", "order", "count", "revision", "state", "canEdit", "canUpload")
    static let session = ShareValue.object(
        merged(
            members(["scope", "stream", "name"]), ["share": plain("showsPositions", "showsNames", "sendsOriginals")]))
    static let problem = plain("type", "title", "status", "parameter")
}
