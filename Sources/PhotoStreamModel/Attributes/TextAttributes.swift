/// A text of each of some consecutive photos.
struct TextAttributes: Hashable, Sendable {
    /// The texts; `nil` for none.
    let column: AttributeColumn<ExactText?>

    /// Collects texts; fails if the distinct ones have more than ``ChunkAttributes/maximumTextByteCount`` bytes.
    ///
    /// - Parameter texts: The text of each photo; `nil` for none.
    init?(_ texts: [String?]) {
        self.init(checking: AttributeColumn(texts.map { $0.map(ExactText.init) }))
    }

    /// Collects the texts of photos as ``AttributeColumn/init(_:at:others:)`` does.
    init?(_ former: TextAttributes, at positions: [Int?], others: TextAttributes) {
        self.init(checking: AttributeColumn(former.column, at: positions, others: others.column))
    }

    private init?(checking column: AttributeColumn<ExactText?>) {
        let byteCount = column.values.reduce(0) { $0 + ($1?.text.utf8.count ?? 0) }
        guard byteCount <= ChunkAttributes.maximumTextByteCount else { return nil }
        self.column = column
    }

    /// Returns the mask of the photos with texts that a closure accepts.
    func mask(where isMet: (String) -> Bool) -> PhotoMask {
        column.mask { text in text.map { isMet($0.text) } ?? false }
    }
}

// A text that is missing is stored as a zero, another one as a one and the text.
extension TextAttributes {
    func append(to bytes: inout [UInt8]) {
        column.append(to: &bytes) { text, bytes in
            bytes.append(text == nil ? 0 : 1)
            if let text { bytes.append(text: text.text) }
        }
    }

    init(_ bytes: inout AttributeBytes, count: Int) throws(AttributeBytes.Refusal) {
        column = try AttributeColumn<ExactText?>(&bytes, count: count) {
            bytes, valueCount throws(AttributeBytes.Refusal) in
            var texts: [ExactText?] = []
            for _ in 0..<valueCount { texts.append(try bytes.isNext() ? ExactText(text: try bytes.text()) : nil) }
            return texts
        }
    }
}

/// A list of texts of each of some consecutive photos: every distinct text once, and every distinct list of them once.
struct ListAttributes: Hashable, Sendable {
    /// A text in its own form and in that of searches.
    struct Element: Hashable, Sendable {
        let text: ExactText
        let folded: String
    }

    /// The place of a list in ``numbers``.
    struct List: Hashable, Sendable {
        let start: UInt32
        let count: UInt32
    }

    /// The distinct texts.
    let elements: [Element]
    /// The texts of each distinct list, as indexes of ``elements``.
    let numbers: [UInt32]
    /// The list of each photo.
    let lists: AttributeColumn<List>

    /// Collects lists of texts; fails if the distinct texts and lists have more than
    /// ``ChunkAttributes/maximumTextByteCount`` bytes.
    ///
    /// - Parameters:
    ///   - all: The list of each photo.
    ///   - fold: Returns the form in which searches compare a text.
    init?(_ all: [[String]], folding fold: (String) -> String) {
        var (elements, numbers, byteCount): ([Element], [UInt32], Int) = ([], [], 0)
        var known: [ExactText: UInt32] = [:]
        var knownLists: [[UInt32]: List] = [[]: List(start: 0, count: 0)]
        let lists = all.map { list -> List in
            let indexes = list.map { text in
                let exact = ExactText(text: text)
                if let index = known[exact] { return index }
                let index = UInt32(elements.count)
                known[exact] = index
                elements.append(Element(text: exact, folded: fold(text)))
                byteCount += text.utf8.count
                return index
            }
            if let list = knownLists[indexes] { return list }
            let list = List(start: UInt32(numbers.count), count: UInt32(indexes.count))
            numbers += indexes
            knownLists[indexes] = list
            return list
        }
        guard byteCount + 4 * numbers.count <= ChunkAttributes.maximumTextByteCount else { return nil }
        (self.elements, self.numbers, self.lists) = (elements, numbers, AttributeColumn(lists))
    }

    /// Collects the lists of photos as ``AttributeColumn/init(_:at:others:)`` does.
    init?(_ former: ListAttributes, at positions: [Int?], others: ListAttributes) {
        let forms = [former, others].flatMap(\.elements).map { ($0.text, $0.folded) }
        let folded = Dictionary(forms) { first, _ in first }
        var otherCount = 0
        self.init(
            positions.map { position in
                if let position { return former.texts(at: position) }
                defer { otherCount += 1 }
                return others.texts(at: otherCount)
            }
        ) { folded[ExactText(text: $0)] ?? $0 }
    }

    /// The texts of a list, as indexes of ``elements``.
    func numbers(of list: List) -> ArraySlice<UInt32> { numbers[Int(list.start)..<Int(list.start + list.count)] }

    private func texts(at position: Int) -> [String] {
        numbers(of: lists[position]).map { elements[Int($0)].text.text }
    }

    /// Returns the mask of the photos with a text whose folded form a closure accepts.
    func mask(where isMet: (String) -> Bool) -> PhotoMask {
        let isMarked = elements.map { isMet($0.folded) }
        guard isMarked.contains(true) else { return PhotoMask(count: lists.count) }
        return lists.mask { list in numbers(of: list).contains { isMarked[Int($0)] } }
    }
}

// Stored as the number of texts (4 bytes) and the texts, each with a zero after it if the folded form is the same, or else a
// one and that form; the length of all lists (4 bytes) and their indexes (4 bytes each); and the start and the length of each
// photo's list (4 bytes each).
extension ListAttributes {
    func append(to bytes: inout [UInt8]) {
        bytes.append(littleEndian: UInt32(elements.count))
        for element in elements {
            bytes.append(text: element.text.text)
            let isFolded = element.text == ExactText(text: element.folded)
            bytes.append(isFolded ? 0 : 1)
            if !isFolded { bytes.append(text: element.folded) }
        }
        bytes.append(littleEndian: UInt32(numbers.count))
        for number in numbers { bytes.append(littleEndian: number) }
        lists.append(to: &bytes) { list, bytes in
            bytes.append(littleEndian: list.start)
            bytes.append(littleEndian: list.count)
        }
    }

    init(_ bytes: inout AttributeBytes, count: Int) throws(AttributeBytes.Refusal) {
        var elements: [Element] = []
        for _ in 0..<(try bytes.number(UInt32.self)) {
            let text = try bytes.text()
            elements.append(
                Element(text: ExactText(text: text), folded: try bytes.isNext() ? try bytes.text() : text))
        }
        let numbers = try bytes.numbers(UInt32.self, count: Int(try bytes.number(UInt32.self)))
        let (elementCount, numberCount) = (elements.count, UInt64(numbers.count))
        guard numbers.allSatisfy({ $0 < elementCount }) else { throw AttributeBytes.Refusal() }
        lists = try AttributeColumn<List>(&bytes, count: count) { bytes, valueCount throws(AttributeBytes.Refusal) in
            let ends = try bytes.numbers(UInt32.self, count: 2 * valueCount)
            let lists = (0..<valueCount).map { List(start: ends[2 * $0], count: ends[2 * $0 + 1]) }
            guard lists.allSatisfy({ UInt64($0.start) + UInt64($0.count) <= numberCount }) else {
                throw AttributeBytes.Refusal()
            }
            return lists
        }
        (self.elements, self.numbers) = (elements, numbers)
    }
}

extension AttributeBytes {
    /// Reads whether a part follows, as a one or a zero.
    fileprivate mutating func isNext() throws(Refusal) -> Bool {
        switch try number(UInt8.self) {
        case 0: false
        case 1: true
        default: throw Refusal()
        }
    }
}

/// A text that equals another one only if it has the same bytes, unlike `String`, for which some forms of a letter are
/// equal.
struct ExactText: Hashable, Sendable {
    let text: String

    static func == (left: ExactText, right: ExactText) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

    func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }
}
