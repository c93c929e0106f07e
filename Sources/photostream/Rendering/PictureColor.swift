import PhotoStreamModel

/// A colour of a picture, each part 0 to 1.
struct PictureColor {
    let red: Double
    let green: Double
    let blue: Double

    static let white = PictureColor(red: 1, green: 1, blue: 1)

    /// The colour of a photo: its own, or one that its id decides, soft enough for text.
    init(of photo: Photo) {
        if let color = photo.color {
            self.init(
                red: Double(color.rawValue >> 16 & 0xFF) / 255, green: Double(color.rawValue >> 8 & 0xFF) / 255,
                blue: Double(color.rawValue & 0xFF) / 255)
        } else {
            let hash = Self.hash(photo.id.rawValue)
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

    /// A colour by its hue, in degrees.
    private init(hue: Double, saturation: Double, lightness: Double) {
        let chroma = (1 - abs(2 * lightness - 1)) * saturation
        func part(_ shift: Double) -> Double {
            let sector = (shift + hue / 30).truncatingRemainder(dividingBy: 12)
            return lightness - chroma / 2 * max(-1, min(sector - 3, 9 - sector, 1))
        }
        self.init(red: part(0), green: part(8), blue: part(4))
    }

    /// The colour with so much of another in it.
    func mixed(with other: PictureColor, _ share: Double) -> PictureColor {
        PictureColor(
            red: red + (other.red - red) * share, green: green + (other.green - green) * share,
            blue: blue + (other.blue - blue) * share)
    }

    /// Whether white text is easier to read on it than black.
    var isDark: Bool { 0.299 * red + 0.587 * green + 0.114 * blue < 0.6 }

    /// The colour as SVG takes it.
    var svg: String {
        let parts = [red, green, blue].map { UInt32((min(max($0, 0), 1) * 255).rounded()) }
        return RGBColor(rawValue: parts[0] << 16 | parts[1] << 8 | parts[2]).description
    }

    /// A hash that is the same for the same text, everywhere.
    ///
    /// Source: Fowler, Noll and Vo, FNV-1a of 64 bits.
    private static func hash(_ text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
