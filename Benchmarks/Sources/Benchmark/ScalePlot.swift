import Foundation

/// Two panels over the number of photos: the cost of a photo, relative to the smallest collection, and that of a query.
struct ScalePlot {
    private let table: ScaleTable
    private let colors = [
        "#1b6ca8", "#c0392b", "#2e8b57", "#8e44ad", "#d68910", "#16a085", "#7f8c8d", "#34495e", "#e67e99",
    ]

    init(_ table: ScaleTable) {
        self.table = table
    }

    var svg: String {
        let perPhoto = table.figures.filter { $0.isPerPhoto && !$0.name.hasPrefix("limit") }
        let relative = perPhoto.map { figure in (figure.name, figure.values.map { $0 / figure.values[0] }) }
        let questions = table.figures.filter { $0.unit == "us" && !$0.name.hasPrefix("storing") }
            .map { ($0.name, $0.values) }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="1600" height="560" font-family="sans-serif" font-size="13">
            <rect width="1600" height="560" fill="white"/>
            \(panel("Cost per photo, relative to \(grouped(table.counts[0])) photos", lines: relative, x: 60, from: 0.1, to: 10))
            \(panel("Microseconds per question", lines: questions, x: 760, from: 10, to: 100_000))
            </svg>
            """
    }

    private func panel(
        _ title: String, lines: [(String, [Double])], x left: Double, from low: Double, to high: Double
    )
        -> String
    {
        let (top, width, height) = (50.0, 380.0, 460.0)
        let (first, last) = (log10(Double(table.counts[0])), log10(Double(table.counts[table.counts.count - 1])))
        func x(_ count: Int) -> Double {
            left + (last == first ? 0 : (log10(Double(count)) - first) / (last - first)) * width
        }
        func y(_ value: Double) -> Double {
            top + (1 - (log10(min(max(value, low), high)) - log10(low)) / (log10(high) - log10(low))) * height
        }
        var parts = ["<text x=\"\(left)\" y=\"\(top - 20)\" font-size=\"16\">\(title)</text>"]
        for power in Int(log10(low).rounded())...Int(log10(high).rounded()) {
            let value = pow(10, Double(power))
            parts.append(
                "<line x1=\"\(left)\" x2=\"\(left + width)\" y1=\"\(y(value))\" y2=\"\(y(value))\" stroke=\"#ddd\"/>"
                    + "<text x=\"\(left - 6)\" y=\"\(y(value) + 4)\" text-anchor=\"end\">\(label(value))</text>")
        }
        for count in table.counts {
            parts.append(
                "<text x=\"\(x(count))\" y=\"\(top + height + 20)\" text-anchor=\"middle\">\(grouped(count))</text>")
        }
        for (number, line) in lines.enumerated() {
            let color = colors[number % colors.count]
            let points = zip(table.counts, line.1).map { "\(x($0)),\(y($1))" }.joined(separator: " ")
            parts.append("<polyline points=\"\(points)\" fill=\"none\" stroke=\"\(color)\" stroke-width=\"2\"/>")
            let key = top + 14 + 22 * Double(number)
            parts.append(
                "<rect x=\"\(left + width + 14)\" y=\"\(key - 10)\" width=\"12\" height=\"12\" fill=\"\(color)\"/>"
                    + "<text x=\"\(left + width + 32)\" y=\"\(key)\" font-size=\"11\">\(line.0)</text>")
        }
        return parts.joined(separator: "\n")
    }

    private func label(_ value: Double) -> String { value < 1 ? String(format: "%g", value) : grouped(Int(value)) }

    private func grouped(_ number: Int) -> String {
        let digits = String(number)
        return stride(from: 0, to: digits.count, by: 1).reduce(into: "") { text, position in
            if position > 0, (digits.count - position) % 3 == 0 { text += "," }
            text.append(digits[digits.index(digits.startIndex, offsetBy: position)])
        }
    }
}
