extension LayoutKey {
    /// The canonical text, such as
    /// `masonry-1,width=2400,scale=2,inset=0:0:0:0,columns=4,choice=shortest,interitem=20,line=20,caption=0`.
    ///
    /// The number behind the algorithm is ``engineVersion``; lengths are device pixels. Equal keys have equal texts.
    public var description: String {
        let inset = contentInset
        return "masonry-\(Self.engineVersion),width=\(containerWidth),scale=\(displayScale)"
            + ",inset=\(inset.top):\(inset.left):\(inset.bottom):\(inset.right)"
            + ",columns=\(masonry.columnCount),choice=\(masonry.columnChoice.rawValue)"
            + ",interitem=\(masonry.interitemSpacing),line=\(masonry.lineSpacing),caption=\(masonry.captionExtent)"
    }

    /// Reads a canonical text.
    ///
    /// - Throws: ``LayoutError/outdatedKey(_:)`` for another engine version's, ``LayoutError/invalidKey(_:)`` for what
    ///   is no canonical text, or what ``init(_:)`` throws for values outside their ranges.
    public init(parsing text: String) throws(LayoutError) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let name = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard name.count == 2, name[0] == "masonry", let version = Int(name[1]) else { throw .invalidKey(text) }
        guard version == Self.engineVersion else { throw .outdatedKey(text) }
        var fields = FieldReader(text: text, parts: parts.dropFirst())
        let width = try fields.number("width")
        let scaleText = try fields.value("scale")
        guard let scaleValue = Double(scaleText) else { throw .invalidKey(text) }
        let scale = try DisplayScale(scaleValue)
        let inset = try fields.numbers("inset", count: 4)
        let columnCount = try fields.number("columns")
        guard (1...128).contains(columnCount),
            let choice = MasonryParameters.ColumnChoice(rawValue: String(try fields.value("choice")))
        else { throw .invalidKey(text) }
        try self.init(
            containerWidth: width,
            displayScale: scale,
            contentInset: PixelInsets(top: inset[0], left: inset[1], bottom: inset[2], right: inset[3]),
            masonry: Masonry(
                columnCount: Int(columnCount),
                columnChoice: choice,
                interitemSpacing: try fields.number("interitem"),
                lineSpacing: try fields.number("line"),
                captionExtent: try fields.number("caption")
            )
        )
        // Spellings that mean the same, such as a leading zero, are refused: one layout has one text.
        guard isWithinLimits, description == text else { throw .invalidKey(text) }
    }

    /// Whether every length could have come from a configuration, so that nothing behind can overflow.
    private var isWithinLimits: Bool {
        let longest = displayScale.pixels(10_000)
        let lengths = [
            contentInset.top, contentInset.left, contentInset.bottom, contentInset.right,
            masonry.interitemSpacing, masonry.lineSpacing, masonry.captionExtent,
        ]
        return (displayScale.pixels(1)...displayScale.pixels(100_000)).contains(containerWidth)
            && lengths.allSatisfy { (0...longest).contains($0) }
    }
}

/// Reads `name=value` parts in their fixed order.
private struct FieldReader {
    let text: String
    var parts: ArraySlice<Substring>

    mutating func value(_ name: String) throws(LayoutError) -> Substring {
        guard let part = parts.popFirst(), part.hasPrefix(name + "=") else { throw .invalidKey(text) }
        return part.dropFirst(name.count + 1)
    }

    mutating func number(_ name: String) throws(LayoutError) -> Int64 {
        try numbers(name, count: 1)[0]
    }

    mutating func numbers(_ name: String, count: Int) throws(LayoutError) -> [Int64] {
        // Ten digits hold every length there is, and keep later sums far from an overflow.
        let numbers = try value(name).split(separator: ":", omittingEmptySubsequences: false).compactMap { digits in
            digits.utf8.count <= 10 ? Int64(digits).flatMap { $0 >= 0 ? $0 : nil } : nil
        }
        guard numbers.count == count else { throw .invalidKey(text) }
        return numbers
    }
}
