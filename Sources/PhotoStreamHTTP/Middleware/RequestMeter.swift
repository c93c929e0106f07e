import HTTPTypes
import Metrics
import Synchronization

/// Counts requests and times them, by route, method and status.
final class RequestMeter: Sendable {
    private struct Key: Hashable {
        let operation: String
        let status: Int
    }

    private struct Meters {
        let counter: Counter
        let timer: Timer
    }

    private let factory: any MetricsFactory
    private let meters = Mutex<[Key: Meters]>([:])

    /// Creates a meter that counts in a program's metrics.
    init(_ factory: any MetricsFactory) {
        self.factory = factory
    }

    /// Takes note of an answer.
    ///
    /// - Parameters:
    ///   - route: What answered; `nil` where nothing was at the address.
    ///   - status: The status.
    ///   - duration: How long it took.
    func record(_ route: Route?, _ status: Int, _ duration: Duration) {
        let found = meters.withLock { meters in
            let key = Key(operation: route?.operation ?? "", status: status)
            if let found = meters[key] { return found }
            let made = Self.meters(route, status, factory)
            meters[key] = made
            return made
        }
        found.counter.increment()
        let parts = duration.components
        found.timer.recordNanoseconds(parts.seconds * 1_000_000_000 + parts.attoseconds / 1_000_000_000)
    }

    private static func meters(_ route: Route?, _ status: Int, _ factory: any MetricsFactory) -> Meters {
        let dimensions = [
            ("http.route", route?.path.template ?? "none"), ("http.request.method", route?.method.rawValue ?? "none"),
            ("http.response.status_code", String(status)),
        ]
        return Meters(
            counter: Counter(label: "http.server.requests", dimensions: dimensions, factory: factory),
            timer: Timer(label: "http.server.request.duration", dimensions: dimensions, factory: factory))
    }
}
