package import PhotoStreamLayout
package import PhotoStreamModel

extension String: WireValue {
    package static var schema: Schema { .text }
    package func write(to writer: inout JSONWriter, in context: WireContext) { writer.value(self) }
    package func write(to writer: inout JSONWriter, sealedBy seal: (String) -> String) { writer.value(seal(self)) }
}

extension Bool: WireValue {
    package static var schema: Schema { .flag }
    package func write(to writer: inout JSONWriter, in context: WireContext) { writer.value(self) }
}

extension Double: WireValue {
    package static var schema: Schema { .number }
    package func write(to writer: inout JSONWriter, in context: WireContext) { writer.value(self) }
}

extension Int: WireValue {
    package static var schema: Schema { .integer }
    package func write(to writer: inout JSONWriter, in context: WireContext) { writer.value(self) }
}

extension Int64: WireValue {
    package static var schema: Schema { .integer }
    package func write(to writer: inout JSONWriter, in context: WireContext) { writer.value(self) }
}

extension CaptureTime: WireValue {
    package static var schema: Schema { .text }
    package func write(to writer: inout JSONWriter, in context: WireContext) { writer.value(self) }
}

extension Array: WireValue where Element: WireValue {
    package static var schema: Schema { .array(Element.schema) }
    package func write(to writer: inout JSONWriter, in context: WireContext) {
        writer.array(self) { $1.write(to: &$0, in: context) }
    }
    package func write(to writer: inout JSONWriter, sealedBy seal: (String) -> String) {
        writer.array(self) { $1.write(to: &$0, sealedBy: seal) }
    }
}

/// A text in memory as UTF-8, valid only inside the closure that receives it.
extension UnsafeBufferPointer<UInt8>: WireValue {
    package static var schema: Schema { .text }
    package func write(to writer: inout JSONWriter, in context: WireContext) { writer.value(self) }
    package func write(to writer: inout JSONWriter, sealedBy seal: (String) -> String) {
        writer.value(seal(String(decoding: self, as: UTF8.self)))
    }
}

extension PackedTexts: WireValue {
    package static var schema: Schema { .array(.text) }
    package func write(to writer: inout JSONWriter, in context: WireContext) {
        writer.array(self) { $0.value($1) }
    }
}

/// The value of a number of a photo, which is written as a decimal.
struct NumberValue: WireValue {
    let number: PhotoNumber
    let value: Int

    static let schema = Schema.number

    func write(to writer: inout JSONWriter, in context: WireContext) { writer.value(value, of: number) }
}

/// A length of device pixels, which is written in points.
struct Points: WireValue {
    let pixels: Int64

    static var schema: Schema { .number }

    func write(to writer: inout JSONWriter, in context: WireContext) {
        if let scale = context.displayScale {
            writer.value(pixels: pixels, scale: scale)
        } else {
            writer.value(pixels)
        }
    }
}

extension PixelRect: WireObject {
    package static let schemaName: String? = "Frame"

    package static func describe(_ members: inout some MemberList<PixelRect>) {
        members.always("x", sharedAs: .plain, about: "The left edge, in points.") { Points(pixels: $0.x) }
        members.always("y", sharedAs: .plain, about: "The top edge, in points.") { Points(pixels: $0.y) }
        members.always("width", sharedAs: .plain, about: "The width, in points.") { Points(pixels: $0.width) }
        members.always("height", sharedAs: .plain, about: "The height, in points.") { Points(pixels: $0.height) }
    }
}

extension PixelExtent: WireObject {
    package static let schemaName: String? = "Extent"

    package static func describe(_ members: inout some MemberList<PixelExtent>) {
        members.always("width", sharedAs: .plain, about: "The width.") { Points(pixels: $0.width) }
        members.always("height", sharedAs: .plain, about: "The height.") { Points(pixels: $0.height) }
    }
}

extension PixelPoint: WireObject {
    package static func describe(_ members: inout some MemberList<PixelPoint>) {
        members.always("x", sharedAs: .plain, about: "The distance from the left edge, in points.") {
            Points(pixels: $0.x)
        }
        members.always("y", sharedAs: .plain, about: "The distance from the top edge, in points.") {
            Points(pixels: $0.y)
        }
    }
}
