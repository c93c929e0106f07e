import Foundation

/// Figures by the number of photos.
struct ScaleTable {
    /// A row.
    struct Figure {
        let name: String
        let unit: String
        /// Whether it is counted by the photo, so that it should not grow.
        let isPerPhoto: Bool
        var values: [Double]
    }

    let counts: [Int]
    private(set) var figures: [Figure] = []

    init(counts: [Int]) {
        self.counts = counts
    }

    /// Adds the next value of a row.
    mutating func add(_ name: String, in unit: String, perPhoto: Bool = false, value: Double) {
        if let position = figures.firstIndex(where: { $0.name == name }) {
            figures[position].values.append(value)
        } else {
            figures.append(Figure(name: name, unit: unit, isPerPhoto: perPhoto, values: [value]))
        }
    }

    /// The most memory that this process has had, in megabytes.
    var peakMemory: Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return (line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0) / 1_024
    }

    /// The rows as a table.
    var text: String {
        let width = (figures.map(\.name.count).max() ?? 0) + 2
        func line(_ name: String, unit: String, cells: [String], growth: String) -> String {
            name.padding(toLength: width, withPad: " ", startingAt: 0)
                + unit.padding(toLength: 12, withPad: " ", startingAt: 0)
                + cells.joined() + growth
        }
        func right(_ text: String) -> String { String(repeating: " ", count: max(1, 13 - text.count)) + text }
        let head = line("", unit: "", cells: counts.map { right(String($0)) }, growth: right("growth"))
        let rows = figures.map { figure in
            let growth =
                figure.isPerPhoto && figure.values.count > 1
                ? cell(figure.values[figure.values.count - 1] / figure.values[0], width: 13) : ""
            return line(
                figure.name, unit: figure.unit, cells: figure.values.map { cell($0, places: 2, width: 13) },
                growth: growth)
        }
        return ([head] + rows).joined(separator: "\n")
    }
}
