import PhotoStreamModel

/// The colour that represents a picture.
///
/// Pixels are counted in cells of 32 levels for red, green and blue. A pixel's weight is its opacity, and up to twice
/// that if it is vivid, so that a flower counts more than the grey around it. The six neighbours of a cell count half, so
/// that a colour at the border of two cells is not split. The result is the mean of the pixels in and around the
/// heaviest cell; in a tie, the lowest of them. All computations use integers: the same pixels give the same colour on
/// every machine.
enum DominantColor {
    private struct Cell {
        var (weight, red, green, blue) = (0, 0, 0, 0)

        mutating func add(_ other: Cell, times factor: Int) {
            weight += factor * other.weight
            red += factor * other.red
            green += factor * other.green
            blue += factor * other.blue
        }
    }

    /// Returns the colour of a picture; black if it is transparent.
    static func color(of raster: Raster) -> RGBColor {
        color(pixels: raster.pixels, bandCount: raster.bandCount)
    }

    /// Returns the colour of pixels of 3 bytes, or 4 with alpha.
    static func color(pixels: [UInt8], bandCount: Int) -> RGBColor {
        var cells = [Cell](repeating: Cell(), count: 512)
        for place in stride(from: 0, to: pixels.count - bandCount + 1, by: bandCount) {
            let (red, green, blue) = (Int(pixels[place]), Int(pixels[place + 1]), Int(pixels[place + 2]))
            let alpha = bandCount == 4 ? Int(pixels[place + 3]) : 255
            let vividness = max(red, green, blue) - min(red, green, blue)
            let weight = alpha * (255 + vividness)
            let index = (red / 32) * 64 + (green / 32) * 8 + blue / 32
            cells[index].weight += weight
            cells[index].red += red * weight
            cells[index].green += green * weight
            cells[index].blue += blue * weight
        }
        var heaviest = Cell()
        for index in cells.indices where cells[index].weight > 0 {
            var sum = Cell()
            sum.add(cells[index], times: 2)
            for step in [64, 8, 1] {
                let level = index / step % 8
                if level > 0 { sum.add(cells[index - step], times: 1) }
                if level < 7 { sum.add(cells[index + step], times: 1) }
            }
            if sum.weight > heaviest.weight { heaviest = sum }
        }
        guard heaviest.weight > 0 else { return RGBColor(rawValue: 0) }
        func mean(_ sum: Int) -> UInt32 { UInt32((sum + heaviest.weight / 2) / heaviest.weight) }
        return RGBColor(rawValue: mean(heaviest.red) << 16 | mean(heaviest.green) << 8 | mean(heaviest.blue))
    }
}
