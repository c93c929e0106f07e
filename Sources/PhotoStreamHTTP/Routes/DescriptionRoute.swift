import HTTPTypes

/// The description of the interface.
enum DescriptionRoute {
    static let show: Route = Route(
        method: .get, path: RoutePath("/v1/openapi.json"), operation: "getDescription",
        summary: "This description, as OpenAPI 3.1.", isCacheable: true, answers: [.init(schema: "Description")],
        work: .none
    ) { call in
        call.answer(document)
    }

    /// Made once, with the first question: it takes many times as long as to send it.
    private static let document = OpenAPIDocument.bytes(.all)
}
