extension RouteTable {
    /// Every route of the interface.
    static let all: RouteTable = RouteTable([
        StreamRoutes.list, StreamWriting.create, StreamRoutes.show, StreamWriting.rename, StreamWriting.delete,
        StreamRoutes.stats, StreamRoutes.changes, PhotoRoutes.list, PhotoImporting.post, PhotoRoutes.show,
        PhotoWriting.put, PhotoWriting.patch, PhotoWriting.delete, PhotoWriting.move, PictureRoutes.show,
        LayoutRoutes.summary, LayoutRoutes.page, LayoutRoutes.rect, LayoutRoutes.items, LayoutPlaceRoutes.elements,
        LayoutPlaceRoutes.locate, LayoutPlaceRoutes.at, LayoutPlaceRoutes.scrubber, LayoutPlaceRoutes.target,
        LayoutPlaceRoutes.updates, HomeRoute.show, DescriptionRoute.show, HealthRoutes.health, HealthRoutes.readiness,
    ])
}
