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

/// The answers to the terms of a condition about texts that many chunks have in common, such as the names of cameras.
package final class TextAnswers {
    /// The number of texts that are kept for each term.
    private static let maximumCount = 10_000

    private var known: [ConditionTerm: [String: Bool]] = [:]

    /// Starts without answers.
    package init() {}

    /// Returns the mask of the photos whose text a term accepts.
    ///
    /// - Parameters:
    ///   - texts: The texts.
    ///   - term: The term.
    ///   - isMet: Whether the term accepts a text; called for texts that are not known.
    /// - Returns: The mask.
    func mask(of texts: TextAttributes, with term: ConditionTerm, where isMet: (String) -> Bool) -> PhotoMask {
        var answers = known.removeValue(forKey: term) ?? [:]
        defer { known[term] = answers }
        return texts.mask { text in
            if let answer = answers[text] { return answer }
            let answer = isMet(text)
            if answers.count < Self.maximumCount { answers[text] = answer }
            return answer
        }
    }
}

// A transaction's question uses it on one thread.
@available(*, unavailable) extension TextAnswers: Sendable {}

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
        (numbers, lists) = try Self.lists(&bytes, count: count, elementCount: elements.count)
        self.elements = elements
    }

    /// Returns the mask of the photos with a text whose folded form a pattern matches, without creating a text.
    ///
    /// - Parameters:
    ///   - bytes: The stored form.
    ///   - count: The number of photos.
    ///   - pattern: The pattern.
    /// - Returns: The mask.
    /// - Throws: ``AttributeBytes/Refusal`` if the bytes are not those of lists.
    /// - Complexity: O(bytes).
    static func mask(
        _ bytes: inout AttributeBytes, count: Int, where pattern: FoldedPattern
    ) throws(AttributeBytes.Refusal) -> PhotoMask {
        var (isMarked, isAnyMarked): ([Bool], Bool) = ([], false)
        for _ in 0..<(try bytes.number(UInt32.self)) {
            let text = try bytes.textBytes()
            let isMet = pattern.matches(try bytes.isNext() ? try bytes.textBytes() : text)
            isMarked.append(isMet)
            isAnyMarked = isAnyMarked || isMet
        }
        guard isAnyMarked else {
            bytes.skipRest()
            return PhotoMask(count: count)
        }
        let (numbers, lists) = try lists(&bytes, count: count, elementCount: isMarked.count)
        return lists.mask { list in
            numbers[Int(list.start)..<Int(list.start + list.count)].contains { isMarked[Int($0)] }
        }
    }

    private static func lists(
        _ bytes: inout AttributeBytes, count: Int, elementCount: Int
    ) throws(AttributeBytes.Refusal) -> (numbers: [UInt32], lists: AttributeColumn<List>) {
        let numbers = try bytes.numbers(UInt32.self, count: Int(try bytes.number(UInt32.self)))
        let numberCount = UInt64(numbers.count)
        guard numbers.allSatisfy({ $0 < elementCount }) else { throw AttributeBytes.Refusal() }
        let lists = try AttributeColumn<List>(&bytes, count: count) {
            bytes, valueCount throws(AttributeBytes.Refusal) in
            let ends = try bytes.numbers(UInt32.self, count: 2 * valueCount)
            let lists = (0..<valueCount).map { List(start: ends[2 * $0], count: ends[2 * $0 + 1]) }
            guard lists.allSatisfy({ UInt64($0.start) + UInt64($0.count) <= numberCount }) else {
                throw AttributeBytes.Refusal()
            }
            return lists
        }
        return (numbers, lists)
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
        var text = text
        text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
