/// A position's place on a Z-order curve: the bits of its coordinates, interleaved, those of y first.
///
/// The positions of a rectangle that begins and ends at multiples of powers of two are consecutive.
///
/// Source: G. M. Morton, "A Computer Oriented Geodetic Data Base and a New Technique in File Sequencing" (1966).
struct ZOrder: Hashable, Comparable {
    let code: UInt64

    @inline(__always)
    init(code: UInt64) { self.code = code }

    /// The place of a packed position.
    @inline(__always)
    init(packed: UInt64) {
        code =
            Self.spread(UInt32(truncatingIfNeeded: packed)) | Self.spread(UInt32(truncatingIfNeeded: packed >> 32)) << 1
    }

    @inline(__always)
    var x: UInt32 { Self.gathered(code) }

    @inline(__always)
    var y: UInt32 { Self.gathered(code >> 1) }

    @inline(__always)
    static func < (left: ZOrder, right: ZOrder) -> Bool { left.code < right.code }

    /// Moves bit n to bit 2n.
    @inline(__always)
    private static func spread(_ number: UInt32) -> UInt64 {
        var bits = UInt64(number)
        bits = (bits | bits << 16) & 0x0000_FFFF_0000_FFFF
        bits = (bits | bits << 8) & 0x00FF_00FF_00FF_00FF
        bits = (bits | bits << 4) & 0x0F0F_0F0F_0F0F_0F0F
        bits = (bits | bits << 2) & 0x3333_3333_3333_3333
        return (bits | bits << 1) & 0x5555_5555_5555_5555
    }

    /// The inverse of ``spread(_:)``; ignores the other bits.
    @inline(__always)
    private static func gathered(_ code: UInt64) -> UInt32 {
        var bits = code & 0x5555_5555_5555_5555
        bits = (bits | bits >> 1) & 0x3333_3333_3333_3333
        bits = (bits | bits >> 2) & 0x0F0F_0F0F_0F0F_0F0F
        bits = (bits | bits >> 4) & 0x00FF_00FF_00FF_00FF
        bits = (bits | bits >> 8) & 0x0000_FFFF_0000_FFFF
        return UInt32(truncatingIfNeeded: bits | bits >> 16)
    }
}
