extension [SectionStart] {
    /// The starts as bytes: of each its distance from the one before, its mark and its origin, as variable-length
    /// integers.
    package var encoded: [UInt8] {
        var bytes: [UInt8] = []
        var position = 0
        for start in self {
            bytes.appendVariableLength(UInt64(start.position - position))
            bytes.appendVariableLength(UInt64(start.mark.rawValue))
            bytes.appendVariableLength(UInt64(start.origin))
            position = start.position
        }
        return bytes
    }

    /// Reads starts; fails when the bytes are no starts within a run of so many photos.
    ///
    /// - Parameters:
    ///   - bytes: What ``encoded`` gave.
    ///   - count: How many photos the run has.
    package init?(decoding bytes: [UInt8], count: Int) {
        var rest = bytes[...]
        var position = 0
        self.init()
        while !rest.isEmpty {
            guard let step = rest.popVariableLength(), step <= UInt64(count), let mark = rest.popVariableLength(),
                mark <= UInt64(SectionMark.greatest), let origin = rest.popVariableLength(), origin < 1 << 56
            else { return nil }
            position += Int(step)
            guard position <= count else { return nil }
            append(
                SectionStart(position: position, mark: SectionMark(rawValue: Int64(mark)), origin: Int64(origin)))
        }
    }
}
