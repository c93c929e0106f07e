/// The raw EXIF orientation tag, 1 to 8.
///
/// It says how the file's own rows and columns lie on display. Source: CIPA DC-008 (Exif 2.32), tag 0x0112.
public enum Orientation: UInt8, Sendable, CaseIterable {
    case up = 1
    case upMirrored = 2
    case down = 3
    case downMirrored = 4
    case leftMirrored = 5
    case right = 6
    case rightMirrored = 7
    case left = 8

    /// Whether the displayed picture is as wide as the file's own is high (5 to 8).
    public var swapsSides: Bool { rawValue >= 5 }
}
