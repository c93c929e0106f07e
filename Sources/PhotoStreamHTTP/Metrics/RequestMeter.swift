import HTTPTypes
import Metrics
import Synchronization

/// Counts requests and times them, by route, method and status: for the program's own metrics, and for `/metrics`.
final class RequestMeter: Sendable {
    /// The answers of one route with one status.
    struct Series {
        let route: Route?
        let status: Int
        fileprivate(set) var count = 0
        /// The number of answers that took no longer than each of ``RequestMeter/bounds``, and longer than the one before.
        fileprivate(set) var counts = [Int](repeating: 0, count: RequestMeter.bounds.count)
        /// The time of all answers.
        fileprivate(set) var time = Duration.zero
        fileprivate let counter: Counter
        fileprivate let timer: Timer

        /// Counts an answer, and returns the program's own instruments for it.
        fileprivate mutating func add(_ duration: Duration) -> (counter: Counter, timer: Timer) {
            count += 1
            time += duration
            let seconds = duration / .seconds(1)
            if let bound = RequestMeter.bounds.firstIndex(where: { seconds <= $0 }) { counts[bound] += 1 }
            return (counter, timer)
        }
    }

    private struct Key: Hashable {
        let operation: String
        let status: Int
    }

    /// The times in seconds up to which answers are counted.
    static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

    private let factory: any MetricsFactory
    private let table = Mutex<[Key: Series]>([:])

    /// Creates a meter for a program's metrics.
    init(_ factory: any MetricsFactory) {
        self.factory = factory
    }

    /// The counts so far, in no order.
    var series: [Series] { table.withLock { Array($0.values) } }

    /// Counts an answer.
    ///
    /// - Parameters:
    ///   - route: The route that answered; `nil` for an unknown address.
    ///   - status: The status.
    ///   - duration: The time that the answer took.
    func record(_ route: Route?, status: Int, duration: Duration) {
        let key = Key(operation: route?.operation ?? "", status: status)
        let (counter, timer) = table.withLock { table in
            table[key, default: makeSeries(of: route, status: status)].add(duration)
        }
        counter.increment()
        let parts = duration.components
        timer.recordNanoseconds(parts.seconds * 1_000_000_000 + parts.attoseconds / 1_000_000_000)
    }

    private func makeSeries(of route: Route?, status: Int) -> Series {
        let dimensions = [
            ("http.route", route?.path.template ?? "none"), ("http.request.method", route?.method.rawValue ?? "none"),
            ("http.response.status_code", String(status)),
        ]
        return Series(
            route: route, status: status,
            counter: Counter(label: "http.server.requests", dimensions: dimensions, factory: factory),
            timer: Timer(label: "http.server.request.duration", dimensions: dimensions, factory: factory))
    }
}
