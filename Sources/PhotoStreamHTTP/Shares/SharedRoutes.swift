/// The form of the answers of a route that a share may use.
enum ShareForm: Sendable {
    /// A file of the gallery, which is the same for all clients.
    case file
    /// JSON, JSON Lines or the binary form, written for the share.
    case members
    /// A thumbnail, or the file of a picture.
    case picture
    /// A stream of events.
    case events
}

/// The only routes that a share may use.
enum SharedRoutes {
    private static let forms: [(route: Route, form: ShareForm)] = [
        (HomeRoute.gallery, .file), (GalleryRoutes.file, .file), (EventRoutes.show, .events),
        (SessionRoutes.show, .members), (PhotoRoutes.show, .members), (PhotoRoutes.stack, .members),
        (StreamRoutes.list, .members), (StreamRoutes.show, .members), (StreamRoutes.changes, .members),
        (StreamRoutes.facets, .members),
        (PictureRoutes.show, .picture), (PictureRoutes.film, .picture), (ThumbnailRoutes.show, .picture),
        (LayoutRoutes.summary, .members), (LayoutRoutes.page, .members), (LayoutRoutes.rect, .members),
        (LayoutRoutes.items, .members), (LayoutRoutes.cluster, .members),
        (LayoutPlaceRoutes.elements, .members),
        (LayoutPlaceRoutes.locate, .members), (LayoutPlaceRoutes.at, .members), (LayoutPlaceRoutes.scrubber, .members),
        (LayoutPlaceRoutes.target, .members), (LayoutPlaceRoutes.updates, .members), (PlaceRoutes.list, .members),
    ]

    private static let byOperation = Dictionary(uniqueKeysWithValues: forms.map { ($0.route.operation, $0.form) })

    /// Returns the form of a route's answers; `nil` if a share may not use it.
    static func form(of route: Route) -> ShareForm? { byOperation[route.operation] }
}
