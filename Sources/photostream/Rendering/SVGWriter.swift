import Foundation
import PhotoStreamLayout

struct SVGWriter {
    private(set) var text = ""

    /// Writes an element that contains others.
    mutating func group(
        _ name: StaticString, attributes: KeyValuePairs<StaticString, String>, title: String? = nil,
        content body: (inout SVGWriter) -> Void
    ) {
        text += "<\(name)\(written(attributes))>\n"
        if let title { element("title", text: title) }
        body(&self)
        text += "</\(name)>\n"
    }

    /// Writes an element with text.
    mutating func element(
        _ name: StaticString, attributes: KeyValuePairs<StaticString, String> = [:], text content: String
    ) {
        text += "<\(name)\(written(attributes))>\(content.escapedForXML)</\(name)>\n"
    }

    mutating func box(_ rect: Rect, fill: String) {
        text +=
            "<rect x=\"\(rect.x.svg)\" y=\"\(rect.y.svg)\" width=\"\(rect.width.svg)\" height=\"\(rect.height.svg)\" "
            + "fill=\"\(fill)\"/>\n"
    }

    /// Writes one line of text into a rectangle, which clips it; nothing if it would be too small to read.
    mutating func label(_ content: String, in rect: Rect, size: Double, ink: String = "#22262d") {
        guard size >= 2, rect.width > size else { return }
        let attributes: KeyValuePairs<StaticString, String> = [
            "x": rect.x.svg, "y": rect.y.svg, "width": rect.width.svg, "height": rect.height.svg,
            "viewBox": rect.viewBox,
        ]
        group("svg", attributes: attributes) { writer in
            writer.element(
                "text",
                attributes: [
                    "x": (rect.x + size * 0.4).svg, "y": (rect.y + rect.height / 2 + size * 0.36).svg,
                    "font-size": size.svg, "fill": ink,
                ], text: content)
        }
    }

    /// Writes a picture that fills a rectangle; both sides are cropped equally if it does not fit.
    mutating func image(jpeg: [UInt8], in rect: Rect) {
        // Base64 has no characters to escape.
        text +=
            "<image x=\"\(rect.x.svg)\" y=\"\(rect.y.svg)\" width=\"\(rect.width.svg)\" height=\"\(rect.height.svg)\" "
            + "preserveAspectRatio=\"xMidYMid slice\" href=\"data:image/jpeg;base64,"
        text += Data(jpeg).base64EncodedString()
        text += "\"/>\n"
    }

    private func written(_ attributes: KeyValuePairs<StaticString, String>) -> String {
        attributes.map { " \($0.key)=\"\($0.value.escapedForXML)\"" }.joined()
    }
}

extension Rect {
    /// The rectangle as the attribute `viewBox`.
    var viewBox: String { [x, y, width, height].map(\.svg).joined(separator: " ") }
}

extension String {
    /// The text escaped for XML: on one line, without characters that XML forbids.
    fileprivate var escapedForXML: String {
        onOneLine.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }
}

extension Double {
    /// The number for SVG, with at most three decimals.
    var svg: String {
        let thousandths = Int64((self * 1_000).rounded())
        guard !thousandths.isMultiple(of: 1_000) else { return String(thousandths / 1_000) }
        let digits = String(thousandths.magnitude % 1_000 + 1_000).dropFirst()
        let fraction = digits.reversed().drop { $0 == "0" }.reversed()
        return (thousandths < 0 ? "-" : "") + "\(thousandths.magnitude / 1_000)." + String(fraction)
    }
}
