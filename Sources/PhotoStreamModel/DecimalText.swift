extension Double {
    /// Reads a decimal number; `inf` and `nan` are read, too.
    ///
    /// What the standard library takes beside those is none: digits of sixteen, and anything behind a NUL.
    package init?(decimal text: some StringProtocol) {
        guard !text.utf8.contains(where: { [0, UInt8(ascii: "x"), UInt8(ascii: "X")].contains($0) }) else { return nil }
        self.init(text)
    }
}
