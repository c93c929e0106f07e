import PhotoStreamWire
/// Writes the elements of an SVG picture.
struct SVGWriter {
    /// A rectangle whose corners at the top and at the bottom are rounded by themselves.
    struct Shape {
        var x: Double
        var y: Double
        var width: Double
        var height: Double
        var topRadius = 0.0
        var bottomRadius = 0.0
    }

    /// The picture as text so far.
    private(set) var text = ""

    /// Opens an element; end it with ``close(_:)``.
    mutating func open(_ name: StaticString, _ attributes: KeyValuePairs<StaticString, String>) {
        text += "<\(name)\(written(attributes))>\n"
    }

    /// Ends an element.
    mutating func close(_ name: StaticString) {
        text += "</\(name)>\n"
    }

    /// Writes an element without content.
    mutating func element(_ name: StaticString, _ attributes: KeyValuePairs<StaticString, String>) {
        text += "<\(name)\(written(attributes))/>\n"
    }

    /// Writes an element that holds text.
    mutating func element(
        _ name: StaticString, _ attributes: KeyValuePairs<StaticString, String> = [:], text content: String
    ) {
        text += "<\(name)\(written(attributes))>\(content.escapedForXML)</\(name)>\n"
    }

    /// Writes a filled shape.
    mutating func shape(_ shape: Shape, fill: String, stroke: String = "none") {
        let (top, bottom) = (shape.topRadius, shape.bottomRadius)
        let path =
            "M\((shape.x + top).svg) \(shape.y.svg)h\((shape.width - 2 * top).svg)" + arc(top, top, top)
            + "v\((shape.height - top - bottom).svg)" + arc(bottom, -bottom, bottom)
            + "h\((2 * bottom - shape.width).svg)" + arc(bottom, -bottom, -bottom)
            + "v\((top + bottom - shape.height).svg)" + arc(top, top, -top) + "z"
        element("path", ["d": path, "fill": fill, "stroke": stroke])
    }

    private func arc(_ radius: Double, _ x: Double, _ y: Double) -> String {
        radius > 0 ? "a\(radius.svg) \(radius.svg) 0 0 1 \(x.svg) \(y.svg)" : ""
    }

    private func written(_ attributes: KeyValuePairs<StaticString, String>) -> String {
        attributes.map { " \($0.key)=\"\($0.value.escapedForXML)\"" }.joined()
    }
}

extension String {
    /// The text as XML holds it: on one line, without characters that XML forbids, the special ones escaped.
    fileprivate var escapedForXML: String {
        var result = ""
        for scalar in onOneLine.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

extension Double {
    /// The number with at most three decimals, as SVG takes it.
    var svg: String {
        let thousandths = Int64((self * 1_000).rounded())
        guard !thousandths.isMultiple(of: 1_000) else { return String(thousandths / 1_000) }
        let digits = String(thousandths.magnitude % 1_000 + 1_000).dropFirst()
        let fraction = digits.reversed().drop { $0 == "0" }.reversed()
        return (thousandths < 0 ? "-" : "") + "\(thousandths.magnitude / 1_000)." + String(fraction)
    }
}
