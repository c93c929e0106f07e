/// Metrics in Prometheus' text format.
///
/// Source: https://prometheus.io/docs/instrumenting/exposition_formats/, version 0.0.4.
///
/// ```swift
/// var text = MetricsText()
/// text.add("photostream_connections", as: .gauge, about: "Open connections.", value: 12)
/// ```
struct MetricsText {
    enum Kind: String {
        /// A number that only grows while the server runs.
        case counter
        /// A number that grows and falls.
        case gauge
        /// Counts of observations up to some bounds, with their sum.
        case histogram
    }

    struct Sample {
        /// The end of the name, such as `_bucket` for a histogram.
        var suffix = ""
        let labels: [(name: String, value: String)]
        let value: Double

        init(_ value: Double, suffix: String = "", labels: [(name: String, value: String)] = []) {
            (self.value, self.suffix, self.labels) = (value, suffix, labels)
        }

        init(_ value: Int, suffix: String = "", labels: [(name: String, value: String)] = []) {
            self.init(Double(value), suffix: suffix, labels: labels)
        }
    }

    static let mediaType = "text/plain"
    /// The media type with its parameters.
    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    private(set) var text = ""

    /// Adds a metric with all of its values.
    ///
    /// - Parameters:
    ///   - name: The name, with its unit at the end.
    ///   - kind: The kind.
    ///   - help: Its meaning, in one line.
    ///   - samples: The values.
    mutating func add(_ name: String, as kind: Kind, about help: String, samples: [Sample]) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
        for sample in samples {
            let labels = sample.labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
            text += "\(name)\(sample.suffix)\(labels.isEmpty ? "" : "{\(labels)}") \(Self.text(of: sample.value))\n"
        }
    }

    /// Adds a metric with one value.
    mutating func add(_ name: String, as kind: Kind, about help: String, value: Int) {
        add(name, as: kind, about: help, samples: [Sample(value)])
    }

    /// Adds a metric with one value, such as a time in seconds.
    mutating func add(_ name: String, as kind: Kind, about help: String, value: Double) {
        add(name, as: kind, about: help, samples: [Sample(value)])
    }

    private static func escaped(_ value: String) -> String {
        value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }

    /// Returns a number in the format: whole numbers without a fraction.
    static func text(of value: Double) -> String {
        value.isInfinite ? "+Inf" : Int64(exactly: value).map(String.init) ?? "\(value)"
    }
}
