import Foundation
import PhotoStreamModel
import PhotoStreamService

/// Writes SVG elements.
struct SVGWriter {
    /// A rectangle with separate corner radii at the top and bottom.
    struct Shape {
        var x: Double
        var y: Double
        var width: Double
        var height: Double
        var topRadius = 0.0
        var bottomRadius = 0.0
    }

    /// The SVG text so far.
    private(set) var text = ""
    private var imageCount = 0

    /// Opens an element.
    ///
    /// Close it with ``close(_:)``.
    mutating func open(_ name: StaticString, attributes: KeyValuePairs<StaticString, String>) {
        text += "<\(name)\(written(attributes))>\n"
    }

    /// Closes an element.
    mutating func close(_ name: StaticString) {
        text += "</\(name)>\n"
    }

    /// Writes an empty element.
    mutating func element(_ name: StaticString, attributes: KeyValuePairs<StaticString, String>) {
        text += "<\(name)\(written(attributes))/>\n"
    }

    /// Writes an element with text.
    mutating func element(
        _ name: StaticString, attributes: KeyValuePairs<StaticString, String> = [:], text content: String
    ) {
        text += "<\(name)\(written(attributes))>\(content.escapedForXML)</\(name)>\n"
    }

    /// Writes a filled shape.
    mutating func shape(_ shape: Shape, fill: String, stroke: String = "none") {
        element("path", attributes: ["d": path(of: shape), "fill": fill, "stroke": stroke])
    }

    /// Writes a picture that fills a shape; what does not fit is cropped on both sides alike.
    mutating func image(jpeg: [UInt8], in shape: Shape) {
        imageCount += 1
        open("clipPath", attributes: ["id": "image\(imageCount)"])
        element("path", attributes: ["d": path(of: shape)])
        close("clipPath")
        // Written without the search for characters to escape, of which base64 has none.
        text += """
            <image x="\(shape.x.svg)" y="\(shape.y.svg)" width="\(shape.width.svg)" \
            height="\(shape.height.svg)" preserveAspectRatio="xMidYMid slice" clip-path="url(#image\(imageCount))" href="data:image/jpeg;base64,
            """
        text += Data(jpeg).base64EncodedString()
        text += "\"/>\n"
    }

    private func path(of shape: Shape) -> String {
        let (top, bottom) = (shape.topRadius, shape.bottomRadius)
        return "M\((shape.x + top).svg) \(shape.y.svg)h\((shape.width - 2 * top).svg)"
            + arc(radius: top, x: top, y: top)
            + "v\((shape.height - top - bottom).svg)" + arc(radius: bottom, x: -bottom, y: bottom)
            + "h\((2 * bottom - shape.width).svg)" + arc(radius: bottom, x: -bottom, y: -bottom)
            + "v\((top + bottom - shape.height).svg)" + arc(radius: top, x: top, y: -top) + "z"
    }

    private func arc(radius: Double, x: Double, y: Double) -> String {
        radius > 0 ? "a\(radius.svg) \(radius.svg) 0 0 1 \(x.svg) \(y.svg)" : ""
    }

    private func written(_ attributes: KeyValuePairs<StaticString, String>) -> String {
        attributes.map { " \($0.key)=\"\($0.value.escapedForXML)\"" }.joined()
    }
}

extension String {
    /// The text escaped for XML: on one line, without characters that XML forbids.
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
    /// The number for SVG, with at most three decimals.
    var svg: String {
        let thousandths = Int64((self * 1_000).rounded())
        guard !thousandths.isMultiple(of: 1_000) else { return String(thousandths / 1_000) }
        let digits = String(thousandths.magnitude % 1_000 + 1_000).dropFirst()
        let fraction = digits.reversed().drop { $0 == "0" }.reversed()
        return (thousandths < 0 ? "-" : "") + "\(thousandths.magnitude / 1_000)." + String(fraction)
    }
}

/// A colour with components from 0 to 1.
struct PictureColor {
    let red: Double
    let green: Double
    let blue: Double

    static let white = PictureColor(red: 1, green: 1, blue: 1)

    /// Creates the colour of a photo: its own, that of its picture, or one derived from its id, soft enough for text.
    init(of item: PlacedPhoto) {
        if let color = item.photo.color ?? item.picture?.color {
            self.init(
                red: Double(color.rawValue >> 16 & 0xFF) / 255, green: Double(color.rawValue >> 8 & 0xFF) / 255,
                blue: Double(color.rawValue & 0xFF) / 255)
        } else {
            let hash = Self.hash(item.id.rawValue)
            self.init(
                hue: Double(hash % 360), saturation: 0.28 + Double(hash >> 16 % 100) / 100 * 0.17,
                lightness: 0.56 + Double(hash >> 32 % 100) / 100 * 0.14)
        }
    }

    private init(red: Double, green: Double, blue: Double) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// Creates a colour from its hue in degrees, saturation and lightness.
    private init(hue: Double, saturation: Double, lightness: Double) {
        let chroma = (1 - abs(2 * lightness - 1)) * saturation
        func part(_ shift: Double) -> Double {
            let sector = (shift + hue / 30).truncatingRemainder(dividingBy: 12)
            return lightness - chroma / 2 * max(-1, min(sector - 3, 9 - sector, 1))
        }
        self.init(red: part(0), green: part(8), blue: part(4))
    }

    /// Returns the mixture with a share of another colour.
    func mixed(with other: PictureColor, share: Double) -> PictureColor {
        PictureColor(
            red: red + (other.red - red) * share, green: green + (other.green - green) * share,
            blue: blue + (other.blue - blue) * share)
    }

    /// Whether white text is more legible on it than black.
    var isDark: Bool { 0.299 * red + 0.587 * green + 0.114 * blue < 0.6 }

    /// The colour in SVG notation.
    var svg: String {
        let parts = [red, green, blue].map { UInt32((min(max($0, 0), 1) * 255).rounded()) }
        return RGBColor(rawValue: parts[0] << 16 | parts[1] << 8 | parts[2]).description
    }

    /// Returns a hash that depends only on the text, on every platform.
    ///
    /// Source: Fowler, Noll and Vo, 64-bit FNV-1a.
    private static func hash(_ text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
