import HTTPTypes
import PhotoStreamService

/// The route of the server's metrics.
enum MetricsRoutes {
    static let show = Route(
        method: .get, path: RoutePath("/metrics"), operation: "getMetrics", access: .read,
        summary: "Counts and times, for Prometheus.",
        answers: [.init(types: [MetricsText.mediaType], schema: "Metrics in Prometheus' text format.")], work: .probing
    ) { call in
        if let stream = call.grant.stream {
            throw Problem(
                .insufficientScope, detail: "this is about all streams, but the token is for stream \"\(stream)\" alone"
            )
        }
        var response = APIResponse(contentType: MetricsText.contentType, body: Array(try call.metrics.text().utf8))
        response.fields[.cacheControl] = "no-store"
        return response
    }
}
