/// What a long run tells while it runs, on standard error.
///
/// On a terminal one line that is drawn again at most ten times a second; elsewhere plain lines, at most one in five
/// seconds.
struct ProgressLine {
    private let isTerminal: Bool
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    private var lastShown: ContinuousClock.Instant
    private var isDrawn = false

    /// Begins; nothing is shown before there was time to be curious.
    init(isTerminal: Bool = StandardError.isTerminal) {
        self.isTerminal = isTerminal
        start = clock.now
        lastShown = start
    }

    /// Seconds since the beginning.
    var elapsedSeconds: Double { (clock.now - start) / .seconds(1) }

    /// Shows a text if it is time.
    mutating func update(_ text: (_ isTerminal: Bool) -> String) {
        let now = clock.now
        guard now - lastShown >= (isTerminal ? .milliseconds(100) : .seconds(5)) else { return }
        lastShown = now
        StandardError.write(isTerminal ? "\r\u{1B}[K" + text(true) : text(false) + "\n")
        isDrawn = isTerminal
    }

    /// Takes the line away, so that something else can be written.
    mutating func clear() {
        guard isDrawn else { return }
        StandardError.write("\r\u{1B}[K")
        isDrawn = false
    }

    /// A bar of fixed width for the part that is done, 0 to 1.
    static func bar(_ share: Double) -> String {
        let width = 24
        let filled = Int(min(max(share, 0), 1) * Double(width))
        return "[" + String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled) + "]"
    }
}
