import HTTPTypes

/// The route of the OpenAPI document.
enum DescriptionRoute {
    static let show: Route = Route(
        method: .get, path: RoutePath("/v1/openapi.json"), operation: "getDescription", access: .read,
        summary: "This OpenAPI 3.1 document.", isCacheable: true, answers: [.init(schema: "Description")],
        work: .none
    ) { call in
        call.answer(document)
    }

    /// The document, created by the first request: creating it takes many times as long as sending it.
    private static let document = FixedDocument(OpenAPIDocument.bytes(.all))
}
