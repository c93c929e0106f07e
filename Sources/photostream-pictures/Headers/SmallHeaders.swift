/// Sizes of files that libvips does not read, or only through loaders that are unsafe with hostile files.
enum SmallHeaders {
    /// Returns the size in the header of a PNG, or `nil` if its checksum or a value is wrong.
    ///
    /// libpng needs pixels after the header, and does not read the variant that begins with Apple's `CgBI` chunk.
    static func sizeOfPNG(_ head: [UInt8]) -> (width: Int, height: Int)? {
        var place = 8
        if head.has("CgBI", at: place + 4), let count = head.number(at: place, count: 4, isBigEndian: true) {
            place += count + 12
        }
        guard head.has("IHDR", at: place + 4), head.number(at: place, count: 4, isBigEndian: true) == 13,
            let checksum = head.number(at: place + 21, count: 4, isBigEndian: true),
            checksum == CyclicChecksum.value(of: head[(place + 4)..<(place + 21)]),
            let width = head.number(at: place + 8, count: 4, isBigEndian: true),
            let height = head.number(at: place + 12, count: 4, isBigEndian: true)
        else { return nil }
        let depths: [UInt8: [UInt8]] = [0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16]]
        guard let allowed = depths[head[place + 17]], allowed.contains(head[place + 16]) else { return nil }
        return (width, height)
    }

    /// Returns the size in a BMP header, or `nil` if it is damaged.
    static func sizeOfBMP(_ head: [UInt8]) -> (width: Int, height: Int)? {
        guard let length = head.number(at: 14, count: 4, isBigEndian: false) else { return nil }
        if length == 12 {
            guard let width = head.number(at: 18, count: 2, isBigEndian: false),
                let height = head.number(at: 20, count: 2, isBigEndian: false)
            else { return nil }
            return (width, height)
        }
        guard length >= 16, let width = head.number(at: 18, count: 4, isBigEndian: false),
            let height = head.number(at: 22, count: 4, isBigEndian: false)
        else { return nil }
        // A negative height means that the rows go from top to bottom.
        let (signedWidth, signedHeight) = (Int32(truncatingIfNeeded: width), Int32(truncatingIfNeeded: height))
        return (Int(signedWidth), abs(Int(signedHeight)))
    }

    /// Reads the displayed size in a JPEG XL codestream or container.
    ///
    /// - Parameter head: The first bytes of the file; boxes before the codestream must end within them.
    /// - Returns: `nil` if it is damaged.
    static func sizeOfJPEGXL(_ head: [UInt8]) -> (width: Int, height: Int)? {
        if head.starts(with: [0xFF, 0x0A]) { return sizeOfCodestream(head[2...]) }
        var place = 0
        while let length = head.number(at: place, count: 4, isBigEndian: true) {
            let content = head.has("jxlc", at: place + 4) ? place + 8 : place + 12
            if head.has("jxlc", at: place + 4) || head.has("jxlp", at: place + 4) {
                guard content + 2 <= head.count, head[content] == 0xFF, head[content + 1] == 0x0A else { return nil }
                return sizeOfCodestream(head[(content + 2)...])
            }
            guard length >= 8 else { return nil }
            place += length
        }
        return nil
    }

    private static func sizeOfCodestream(_ bytes: ArraySlice<UInt8>) -> (width: Int, height: Int)? {
        var bits = BitReader(bytes)
        guard let isSmall = bits.bits(1) else { return nil }
        func side(_ bits: inout BitReader) -> Int? {
            if isSmall == 1 { return bits.bits(5).map { ($0 + 1) * 8 } }
            guard let selector = bits.bits(2) else { return nil }
            return bits.bits([9, 13, 18, 30][selector]).map { $0 + 1 }
        }
        guard let height = side(&bits), let ratio = bits.bits(3) else { return nil }
        let ratios = [(1, 1), (12, 10), (4, 3), (3, 2), (16, 9), (5, 4), (2, 1)]
        let width = ratio == 0 ? side(&bits) : height * ratios[ratio - 1].0 / ratios[ratio - 1].1
        guard let width, let isDefault = bits.bits(1) else { return nil }
        guard isDefault == 0, bits.bits(1) == 1, let orientation = bits.bits(3) else { return (width, height) }
        return orientation >= 4 ? (height, width) : (width, height)
    }
}
