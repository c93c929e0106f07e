import PhotoStreamWire

/// The form of the answers of a route that a share may ask.
enum ShareForm: Sendable {
    /// A file of the gallery, which is the same for everyone.
    case file
    /// JSON, JSON Lines or the binary form, of which a share shows the members that are listed.
    case members(ShareValue)
    /// A thumbnail, or the file of a picture.
    case picture
    /// A stream of events.
    case events
}

/// The routes that a share may ask: these, and no others.
enum SharedRoutes {
    private static let forms: [(route: Route, form: ShareForm)] = [
        (HomeRoute.gallery, .file), (GalleryRoutes.file, .file),
        (SessionRoutes.show, .members(.session)),
        (StreamRoutes.list, .members(.object(["streams": .list(.stream), "truncated": .plain]))),
        (StreamRoutes.show, .members(.stream)),
        (StreamRoutes.changes, .members(.changes)), (EventRoutes.show, .events),
        (PhotoRoutes.show, .members(.photo)),
        (PictureRoutes.show, .picture), (ThumbnailRoutes.show, .picture),
        (LayoutRoutes.summary, .members(.layout)), (LayoutRoutes.page, .members(.page)),
        (LayoutRoutes.rect, .members(.rect)), (LayoutRoutes.items, .members(.items)),
        (LayoutRoutes.search, .members(.search)),
        (LayoutPlaceRoutes.elements, .members(.elements)), (LayoutPlaceRoutes.locate, .members(.place)),
        (LayoutPlaceRoutes.at, .members(.point)), (LayoutPlaceRoutes.scrubber, .members(.scrubber)),
        (LayoutPlaceRoutes.target, .members(.target)), (LayoutPlaceRoutes.updates, .members(.updates)),
    ]

    private static let byOperation = Dictionary(uniqueKeysWithValues: forms.map { ($0.route.operation, $0.form) })

    /// Returns the form of a route's answers; `nil` if a share may not ask it.
    static func form(of route: Route) -> ShareForm? { byOperation[route.operation] }
}
