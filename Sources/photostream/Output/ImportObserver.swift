import PhotoStreamImport
import PhotoStreamService

/// What a person sees of an import while it runs: progress, the first rejects, the first warnings.
struct ImportObserver {
    private static let shownCount = 20

    private let totalBytes: Int64?
    private let report: ImportReport?
    private var progress = ProgressLine()
    private var shownRejects = 0
    private var shownWarnings = 0
    private var warningCounts: [ImportField: Int] = [:]

    /// Begins.
    init(totalBytes: Int64?, report: ImportReport?) {
        self.totalBytes = totalBytes
        self.report = report
    }

    /// Takes note of a batch.
    mutating func observe(_ state: ImportProgress) throws {
        try report?.append(state.rejects)
        warningCounts = state.warningCounts
        for reject in state.rejects.prefix(Self.shownCount - shownRejects) {
            write("\(reject.position): \(reject.reason)")
            shownRejects += 1
        }
        for warning in state.warnings.prefix(Self.shownCount - shownWarnings) {
            write("\(warning.position): warning: \(warning.field.rawValue) is dropped: \(warning.reason)")
            shownWarnings += 1
        }
        let text = text
        progress.update { text(state, $0) }
    }

    /// Sums up: more rejects, warnings by field, mapped columns and paths that no record has, the rate.
    mutating func end(_ totals: ImportTotals, unusedPaths: [String]) {
        if totals.rejected > shownRejects { write("… and \((totals.rejected - shownRejects).counting("more reject"))") }
        for field in ImportField.allCases {
            guard let count = warningCounts[field] else { continue }
            write("warning: \(field.rawValue): \(count.counting("unreadable value")) dropped")
        }
        for path in unusedPaths { write("warning: no record has \"\(path)\", which --map names") }
        let rate = Double(totals.read) / max(progress.elapsedSeconds, 0.001)
        write(
            "\(totals.read.counting("record")) in \(progress.elapsedSeconds.seconds), \(Int(rate).grouped) a second")
    }

    /// Takes the line of progress away.
    mutating func clear() {
        progress.clear()
    }

    private mutating func write(_ line: String) {
        progress.clear()
        StandardError.write(line: line.onOneLine)
    }

    private var text: (ImportProgress, Bool) -> String {
        let (seconds, totalBytes) = (progress.elapsedSeconds, totalBytes)
        return { state, isTerminal in
            let rate = Double(state.totals.read) / max(seconds, 0.001)
            if let part = state.chunkedPart {
                return (isTerminal ? ProgressLine.bar(part) + " " : "") + "\(Int(part * 100)) %  preparing layouts"
            }
            var parts = [state.totals.read.counting("record"), "\(Int(rate).grouped) a second"]
            if let totalBytes, totalBytes > 0, state.bytesConsumed > 0 {
                let share = min(1, Double(state.bytesConsumed) / Double(totalBytes))
                parts.insert("\(Int(share * 100)) %", at: 0)
                parts.append("\((seconds / share * (1 - share)).clock) left")
                if isTerminal { parts[0] = ProgressLine.bar(share) + " " + parts[0] }
            }
            return parts.joined(separator: isTerminal ? "  " : ", ")
        }
    }
}

extension Double {
    /// A time as minutes and seconds, such as `1:05`.
    fileprivate var clock: String {
        let seconds = Int(rounded(.up))
        return "\(seconds / 60):" + (seconds % 60 < 10 ? "0" : "") + "\(seconds % 60)"
    }

    /// A time with one decimal, such as `0.4 s`.
    fileprivate var seconds: String {
        let tenths = Int((self * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) s"
    }
}
