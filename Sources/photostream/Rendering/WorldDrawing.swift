import PhotoStreamLayout
import PhotoStreamModel

/// Draws the square of a map: its sea of meridians and parallels, every thirty degrees.
struct WorldDrawing {
    private static let step = 30.0

    /// The square, in points.
    private let frame: Rect

    /// Prepares the drawing; `nil` where the layout is no map.
    init?(_ key: LayoutKey) {
        guard let world = key.worldFrame else { return nil }
        frame = key.displayScale.points(world)
    }

    /// Draws it.
    func draw(in writer: inout SVGWriter) {
        writer.open("g", ["class": "world"])
        writer.element(
            "rect",
            [
                "x": frame.x.svg, "y": frame.y.svg, "width": frame.width.svg, "height": frame.height.svg,
                "fill": "#e6eff5", "stroke": "#9fb6c6", "stroke-width": "1",
            ])
        for longitude in stride(from: -180 + Self.step, to: 180, by: Self.step) {
            guard let place = try? Coordinate(latitude: 0, longitude: longitude) else { continue }
            let x = frame.x + frame.width * part(WorldPosition(place).x)
            line(x, frame.y, x, frame.y + frame.height, isMain: longitude == 0, in: &writer)
        }
        for latitude in stride(from: -90 + Self.step, to: 90, by: Self.step) {
            guard let place = try? Coordinate(latitude: latitude, longitude: 0) else { continue }
            let y = frame.y + frame.height * part(WorldPosition(place).y)
            line(frame.x, y, frame.x + frame.width, y, isMain: latitude == 0, in: &writer)
        }
        writer.close("g")
    }

    /// A coordinate as a part of the square's side.
    private func part(_ coordinate: UInt32) -> Double { Double(coordinate) / 0x1p32 }

    private func line(
        _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, isMain: Bool, in writer: inout SVGWriter
    ) {
        writer.element(
            "path",
            [
                "d": "M\(x1.svg) \(y1.svg)L\(x2.svg) \(y2.svg)", "stroke": isMain ? "#8fb0c6" : "#c3d5e1",
                "stroke-width": isMain ? "1.5" : "1",
            ])
    }
}
