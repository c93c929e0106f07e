import PhotoStreamModel

extension LayoutKey {
    /// The canonical text, such as
    /// `masonry-4,length=2400,scale=2,inset=0:0:0:0,interitem=20,line=20,caption=0,columns=4,choice=shortest`.
    ///
    /// The number after the algorithm is ``engineVersion``; lengths are device pixels. The fields between the caption
    /// and the algorithm's own are written only if they differ from their defaults. Equal keys have equal texts.
    public var description: String {
        // One text is extended, because every page contains a key twice.
        var text = ""
        text.reserveCapacity(160)
        text += algorithm.name
        text += "-"
        text += String(Self.engineVersion)
        func add(_ name: String, value: String, if isGiven: Bool = true) {
            guard isGiven else { return }
            text += ","
            text += name
            text += "="
            text += value
        }
        func add(_ name: String, value: Int64) { add(name, value: String(value)) }
        add("length", value: containerLength)
        add("scale", value: displayScale.description)
        add("inset", value: contentInset.text)
        add("interitem", value: interitemSpacing)
        add("line", value: lineSpacing)
        add("caption", value: captionExtent)
        add("scroll", value: scrollDirection.rawValue, if: scrollDirection != .vertical)
        add("direction", value: layoutDirection.rawValue, if: layoutDirection != .leftToRight)
        add("section", value: sections.sectioning.rawValue, if: sections.sectioning != .none)
        if sections.inset != PixelInsets(all: 0) { add("section-inset", value: sections.inset.text) }
        if sections.headerExtent != 0 { add("header", value: sections.headerExtent) }
        if sections.footerExtent != 0 { add("footer", value: sections.footerExtent) }
        add("pin-headers", value: "1", if: sections.pinsHeaders)
        add("pin-footers", value: "1", if: sections.pinsFooters)
        add("background", value: "1", if: sections.hasBackground)
        if sections.separatorThickness != 0 { add("separator", value: sections.separatorThickness) }
        if badgeSize != PixelExtent(width: 0, height: 0) {
            add("badge", value: "\(badgeSize.width):\(badgeSize.height)")
        }
        for field in algorithm.parameters.fields {
            text += ","
            text += field
        }
        return text
    }

    /// Reads a canonical text, except that of a placement rule, because a text contains no code.
    ///
    /// - Throws: ``LayoutError/outdatedKey(_:)`` for a key of another engine version, ``LayoutError/invalidKey(_:)``
    ///   for a text that is not canonical, or an error of ``init(_:)`` for values outside their ranges.
    public init(parsing text: String) throws(LayoutError) {
        let parts = text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            .map { Substring($0) }
        let name = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard name.count == 2, let read = Algorithm.reader(named: name[0]), let version = Int(name[1]) else {
            throw .invalidKey(text)
        }
        guard version == Self.engineVersion else { throw .outdatedKey(text) }
        var fields = LayoutKeyFields(text: text, parts: parts.dropFirst())
        try self.init(&fields, readingAlgorithm: read)
        // Other spellings of the same key, such as a leading zero, are refused: one layout has one text.
        guard isWithinLimits, description == text else { throw .invalidKey(text) }
    }

    /// Whether every length could have come from a configuration, so that later sums cannot overflow.
    private var isWithinLimits: Bool {
        let longest = displayScale.pixels(LayoutRange.length.upperBound)
        let insets = [contentInset, sections.inset].flatMap { [$0.top, $0.left, $0.bottom, $0.right] }
        let lengths = [
            interitemSpacing, lineSpacing, captionExtent, sections.headerExtent, sections.footerExtent,
            sections.separatorThickness, badgeSize.width, badgeSize.height,
        ]
        let container = LayoutRange.containerLength
        let lengthsOfContainers = displayScale.pixels(container.lowerBound)...displayScale.pixels(container.upperBound)
        return lengthsOfContainers.contains(containerLength)
            && (badgeSize.width > 0) == (badgeSize.height > 0)
            && (!sections.pinsHeaders || sections.headerExtent > 0)
            && (!sections.pinsFooters || sections.footerExtent > 0)
            && (insets + lengths).allSatisfy { (0...longest).contains($0) }
            && algorithm.parameters.isWithin(longest: longest, container: containerLength)
    }
}

extension LayoutKey {
    private init(_ fields: inout LayoutKeyFields, readingAlgorithm read: Algorithm.Reader) throws(LayoutError) {
        containerLength = try fields.number("length")
        let scaleText = try fields.value("scale")
        guard let scale = Double(decimal: scaleText) else { throw .invalidKey(fields.text) }
        displayScale = try DisplayScale(scale)
        contentInset = try fields.insets("inset")
        interitemSpacing = try fields.number("interitem")
        lineSpacing = try fields.number("line")
        captionExtent = try fields.number("caption")
        scrollDirection = try fields.choice("scroll", or: .vertical)
        layoutDirection = try fields.choice("direction", or: .leftToRight)
        sections = Sections(
            sectioning: try fields.choice("section", or: .none),
            inset: fields.has("section-inset") ? try fields.insets("section-inset") : PixelInsets(all: 0),
            headerExtent: fields.has("header") ? try fields.number("header") : 0,
            footerExtent: fields.has("footer") ? try fields.number("footer") : 0,
            pinsHeaders: fields.has("pin-headers") ? try fields.number("pin-headers") == 1 : false,
            pinsFooters: fields.has("pin-footers") ? try fields.number("pin-footers") == 1 : false,
            hasBackground: fields.has("background") ? try fields.number("background") == 1 : false,
            separatorThickness: fields.has("separator") ? try fields.number("separator") : 0)
        let badge = fields.has("badge") ? try fields.numbers("badge", count: 2) : [0, 0]
        badgeSize = PixelExtent(width: badge[0], height: badge[1])
        // Replaced once its fields are read.
        algorithm = .flow(.own)
        try complete(with: try read(&fields))
    }
}

extension LayoutKey.PixelInsets {
    /// The same distance from every edge.
    init(all distance: Int64) {
        self.init(top: distance, left: distance, bottom: distance, right: distance)
    }

    fileprivate var text: String { "\(top):\(left):\(bottom):\(right)" }
}

extension LayoutKeyFields {
    fileprivate mutating func insets(_ name: String) throws(LayoutError) -> LayoutKey.PixelInsets {
        let numbers = try numbers(name, count: 4)
        return LayoutKey.PixelInsets(top: numbers[0], left: numbers[1], bottom: numbers[2], right: numbers[3])
    }
}
