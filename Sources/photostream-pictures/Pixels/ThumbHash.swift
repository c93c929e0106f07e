import Glibc

/// Placeholders of at most 25 bytes.
///
/// Luminance, yellow against blue, red against green, and alpha are stored as the lowest frequencies of a cosine
/// transform. Source: Evan Wallace, ThumbHash, https://evanw.github.io/thumbhash/ (MIT); the bytes are the same.
enum ThumbHash {
    /// Returns the placeholder of a picture of at most 100 by 100 pixels.
    static func bytes(of raster: Raster) -> [UInt8] {
        bytes(pixels: raster.pixels, width: raster.width, height: raster.height, bandCount: raster.bandCount)
    }

    /// Returns the placeholder of pixels of 3 bytes, or 4 with alpha, at most 100 by 100.
    static func bytes(pixels: [UInt8], width: Int, height: Int, bandCount: Int) -> [UInt8] {
        precondition((1...100).contains(width) && (1...100).contains(height))
        precondition(pixels.count == width * height * bandCount)
        let channels = Channels(pixels: pixels, count: width * height, bandCount: bandCount)
        // Alpha needs space, so luminance gets less.
        let limit = channels.hasAlpha ? 5.0 : 7.0
        let longer = Double(max(width, height))
        let columns = max(1, rounded(limit * Double(width) / longer))
        let rows = max(1, rounded(limit * Double(height) / longer))
        let transform = CosineTransform(width: width, height: height)
        let luminance = transform.terms(of: channels.luminance, columns: max(3, columns), rows: max(3, rows))
        let yellow = transform.terms(of: channels.yellow, columns: 3, rows: 3)
        let red = transform.terms(of: channels.red, columns: 3, rows: 3)
        let isLandscape = width > height
        let head =
            rounded(63 * luminance.mean) | rounded(31.5 + 31.5 * yellow.mean) << 6
            | rounded(31.5 + 31.5 * red.mean) << 12 | rounded(31 * luminance.scale) << 18
            | (channels.hasAlpha ? 1 << 23 : 0)
        let tail =
            (isLandscape ? rows : columns) | rounded(63 * yellow.scale) << 3 | rounded(63 * red.scale) << 9
            | (isLandscape ? 1 << 15 : 0)
        var hash = [head, head >> 8, head >> 16, tail, tail >> 8].map { UInt8(truncatingIfNeeded: $0) }
        var terms = luminance.terms + yellow.terms + red.terms
        if channels.hasAlpha {
            let alpha = transform.terms(of: channels.alpha, columns: 5, rows: 5)
            hash.append(UInt8(truncatingIfNeeded: rounded(15 * alpha.mean) | rounded(15 * alpha.scale) << 4))
            terms += alpha.terms
        }
        for index in stride(from: 0, to: terms.count, by: 2) {
            let high = index + 1 < terms.count ? rounded(15 * terms[index + 1]) << 4 : 0
            hash.append(UInt8(truncatingIfNeeded: rounded(15 * terms[index]) | high))
        }
        return hash
    }

    /// Halves are rounded up, as in JavaScript.
    private static func rounded(_ value: Double) -> Int { Int((value + 0.5).rounded(.down)) }

    /// The channels of a picture composed over its mean colour, 0 to 1 or -1 to 1.
    private struct Channels {
        var luminance: [Double]
        var yellow: [Double]
        var red: [Double]
        var alpha: [Double]
        let hasAlpha: Bool

        init(pixels: [UInt8], count: Int, bandCount: Int) {
            var (mean, weight) = ((red: 0.0, green: 0.0, blue: 0.0), 0.0)
            func pixel(_ index: Int) -> (red: Double, green: Double, blue: Double, alpha: Double) {
                let place = index * bandCount
                return (
                    Double(pixels[place]) / 255, Double(pixels[place + 1]) / 255, Double(pixels[place + 2]) / 255,
                    bandCount == 4 ? Double(pixels[place + 3]) / 255 : 1
                )
            }
            for index in 0..<count {
                let pixel = pixel(index)
                mean.red += pixel.red * pixel.alpha
                mean.green += pixel.green * pixel.alpha
                mean.blue += pixel.blue * pixel.alpha
                weight += pixel.alpha
            }
            if weight > 0 { mean = (mean.red / weight, mean.green / weight, mean.blue / weight) }
            hasAlpha = weight < Double(count)
            (luminance, yellow, red, alpha) = ([], [], [], [])
            for index in 0..<count {
                let pixel = pixel(index)
                let red = mean.red * (1 - pixel.alpha) + pixel.red * pixel.alpha
                let green = mean.green * (1 - pixel.alpha) + pixel.green * pixel.alpha
                let blue = mean.blue * (1 - pixel.alpha) + pixel.blue * pixel.alpha
                luminance.append((red + green + blue) / 3)
                yellow.append((red + green) / 2 - blue)
                self.red.append(red - green)
                alpha.append(pixel.alpha)
            }
        }
    }

    /// A channel as its mean, the largest of its terms, and its terms scaled to 0 to 1, where 0.5 means zero.
    private struct Terms {
        var mean = 0.0
        var scale = 0.0
        var terms: [Double] = []
    }

    private struct CosineTransform {
        let width: Int
        let height: Int

        /// Computes the terms below the diagonal from the last column to the last row.
        func terms(of channel: [Double], columns: Int, rows: Int) -> Terms {
            // The sums over x do not depend on the row's frequency.
            let sums = (0..<columns).map { column in
                let factors = Self.factors(column, count: width)
                return (0..<height).map { y in
                    var sum = 0.0
                    for x in 0..<width { sum += channel[y * width + x] * factors[x] }
                    return sum
                }
            }
            var found = Terms()
            for row in 0..<rows {
                let factors = Self.factors(row, count: height)
                var column = 0
                while column * rows < columns * (rows - row) {
                    var term = 0.0
                    for y in 0..<height { term += sums[column][y] * factors[y] }
                    term /= Double(width * height)
                    if column > 0 || row > 0 {
                        found.terms.append(term)
                        found.scale = max(found.scale, abs(term))
                    } else {
                        found.mean = term
                    }
                    column += 1
                }
            }
            if found.scale > 0 { found.terms = found.terms.map { 0.5 + 0.5 / found.scale * $0 } }
            return found
        }

        private static func factors(_ frequency: Int, count: Int) -> [Double] {
            (0..<count).map { cos(Double.pi / Double(count) * Double(frequency) * (Double($0) + 0.5)) }
        }
    }
}
