/// How long the stages of an answer took, as `Server-Timing` tells it.
struct StageTimes {
    private let clock = ContinuousClock()
    private var last: ContinuousClock.Instant
    private var stages: [(name: StaticString, duration: Duration)] = []

    /// Begins the first stage.
    init() {
        last = ContinuousClock().now
    }

    /// Ends a stage.
    mutating func end(_ name: StaticString) {
        let now = clock.now
        stages.append((name, now - last))
        last = now
    }

    /// The field's value: milliseconds by stage.
    var text: String {
        stages.map { "\($0.name);dur=\(Self.milliseconds($0.duration))" }.joined(separator: ", ")
    }

    /// A duration in milliseconds with three places.
    static func milliseconds(_ duration: Duration) -> String {
        let microseconds = max(0, duration.components.attoseconds / 1_000_000_000_000)
        let total = max(0, duration.components.seconds) * 1_000_000 + microseconds
        let thousandths = String(total % 1_000)
        return "\(total / 1_000)." + String(repeating: "0", count: 3 - thousandths.count) + thousandths
    }
}
