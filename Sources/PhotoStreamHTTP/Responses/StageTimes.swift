/// The durations of the stages of an answer, for `Server-Timing`.
struct StageTimes {
    private let clock = ContinuousClock()
    private var last: ContinuousClock.Instant
    private var stages: [(name: StaticString, duration: Duration)] = []

    init() {
        last = ContinuousClock().now
    }

    mutating func end(_ name: StaticString) {
        let now = clock.now
        stages.append((name, now - last))
        last = now
    }

    /// The field's value: milliseconds by stage.
    var text: String {
        var text = ""
        text.reserveCapacity(24 * stages.count)
        for (name, duration) in stages {
            if !text.isEmpty { text += ", " }
            text += name.description
            text += ";dur="
            text += Self.milliseconds(duration)
        }
        return text
    }

    /// A duration in milliseconds with three places.
    static func milliseconds(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let total = max(0, seconds) * 1_000_000 + max(0, attoseconds / 1_000_000_000_000)
        // The three decimal places with leading zeros: those of the remainder plus 1,000, without the first digit.
        var text = String(total / 1_000)
        text += "."
        text += String(1_000 + total % 1_000).dropFirst()
        return text
    }
}
