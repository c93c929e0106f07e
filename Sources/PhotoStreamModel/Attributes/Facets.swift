/// A value that some photos of a view have in common, and the condition that selects them.
public struct Facet: Hashable, Sendable {
    /// The value as it is written in most of the photos: a tag, a camera, a year, a rating or a folder.
    public let text: String
    /// The number of photos of the view that meet ``condition``.
    public let count: Int
    /// The condition to add to that of the view.
    public let condition: Condition
}

/// A kind of facets.
public enum FacetKind: String, CaseIterable, Sendable {
    case tags, cameras, years, ratings, folders

    /// The values of a photo that decide.
    package var inputs: ConditionInputs {
        switch self {
        case .tags: ConditionInputs([.list(.tags)])
        case .cameras: ConditionInputs([.text(.camera)])
        case .years: ConditionInputs([.takenAt])
        case .ratings: ConditionInputs([.number(.rating)])
        case .folders: ConditionInputs([.text(.location)])
        }
    }
}

/// Counts photos by their tags, cameras, years, ratings and folders.
package struct FacetCounts {
    /// The number of different values of a kind that are counted; photos with others are left out.
    package static let maximumValueCount = 10_000

    /// The photos with a value, by the ways to write it.
    private struct Written {
        var count = 0
        var forms: [ExactText: Int] = [:]

        mutating func add(_ text: ExactText, count more: Int) {
            count += more
            forms[text, default: 0] += more
        }

        /// The form of most photos, or the first of these in the order of bytes.
        var text: String {
            let best = forms.max { one, other in
                one.value == other.value
                    ? other.key.text.utf8.lexicographicallyPrecedes(one.key.text.utf8) : one.value < other.value
            }
            return best?.key.text ?? ""
        }
    }

    private var tags: [String: Written] = [:]
    private var cameras: [ExactText: Int] = [:]
    private var folders: [ExactText: Int] = [:]
    private var years: [Int: Int] = [:]
    private var ratings: [Int: Int] = [:]
    /// The kinds with more values than are counted.
    package private(set) var incomplete: Set<FacetKind> = []

    /// Starts without photos.
    package init() {}

    /// Adds photos.
    ///
    /// - Parameters:
    ///   - attributes: The attributes of some consecutive photos.
    ///   - mask: The photos among them; `nil` for all.
    ///   - photos: Reads these photos; called only if some of their texts were left out.
    /// - Throws: The errors of `photos`.
    /// - Complexity: O(distinct values + photos).
    package mutating func add(
        _ attributes: ChunkAttributes, of mask: PhotoMask?, photos: () throws -> [Photo]
    ) rethrows {
        guard let tags = attributes.tags, let cameras = attributes.texts(.cameras),
            let folders = attributes.texts(.folders), let ratings = attributes.ratings, let days = attributes.days
        else {
            for photo in try photos() { add(photo) }
            return
        }
        add(tags, of: mask)
        Self.forEach(cameras.column, of: mask) { add(camera: $0, count: $1) }
        Self.forEach(folders.column, of: mask) { add(folder: $0, count: $1) }
        Self.forEach(ratings, of: mask) { self.ratings[Int($0), default: 0] += $1 }
        Self.forEach(days, of: mask) { add(days: $0.map { Int($0.lowerBound)...Int($0.upperBound) }, count: $1) }
    }

    private static func forEach<Value>(
        _ column: AttributeColumn<Value>, of mask: PhotoMask?, body: (Value, Int) -> Void
    ) {
        for (value, count) in zip(column.values, column.counts(of: mask)) where count > 0 { body(value, count) }
    }

    /// Adds a photo.
    private mutating func add(_ photo: Photo) {
        var folded: Set<String> = []
        for tag in photo.tags {
            let form = FoldedText.folded(tag)
            if folded.insert(form).inserted { add(tag: ExactText(text: tag), folded: form, count: 1) }
        }
        add(camera: photo.camera.map(ExactText.init), count: 1)
        add(folder: photo.file.folder.map(ExactText.init), count: 1)
        ratings[photo.rating ?? 0, default: 0] += 1
        add(days: photo.takenAt.map(CivilDate.days), count: 1)
    }

    private mutating func add(_ tags: TagAttributes, of mask: PhotoMask?) {
        // The first tag with the same folded form: a photo with two of them counts once.
        var first: [String: Int] = [:]
        let groups = tags.tags.enumerated().map { index, tag in
            if let known = first[tag.folded] { return known }
            first[tag.folded] = index
            return index
        }
        var counts = Array(repeating: 0, count: tags.tags.count)
        Self.forEach(tags.lists, of: mask) { list, count in
            let numbers = tags.numbers(of: list)
            for position in numbers.indices {
                let group = groups[Int(numbers[position])]
                let isAgain = numbers[..<position].contains { groups[Int($0)] == group }
                if !isAgain { counts[Int(numbers[position])] += count }
            }
        }
        for (tag, count) in zip(tags.tags, counts) where count > 0 {
            add(tag: tag.text, folded: tag.folded, count: count)
        }
    }

    private mutating func add(tag text: ExactText, folded: String, count: Int) {
        guard tags[folded] != nil || tags.count < Self.maximumValueCount else {
            incomplete.insert(.tags)
            return
        }
        tags[folded, default: Written()].add(text, count: count)
    }

    private mutating func add(camera text: ExactText?, count: Int) {
        guard let text else { return }
        guard cameras[text] != nil || cameras.count < Self.maximumValueCount else {
            incomplete.insert(.cameras)
            return
        }
        cameras[text, default: 0] += count
    }

    private mutating func add(folder text: ExactText?, count: Int) {
        guard let text else { return }
        guard folders[text] != nil || folders.count < Self.maximumValueCount else {
            incomplete.insert(.folders)
            return
        }
        folders[text, default: 0] += count
    }

    private mutating func add(days: ClosedRange<Int>?, count: Int) {
        guard let days else { return }
        let year = CivilDate(daysSince1970: days.lowerBound).year
        if year == CivilDate(daysSince1970: days.upperBound).year { years[year, default: 0] += count }
    }
}

extension FacetCounts {
    /// Returns the facets of a kind.
    ///
    /// - Parameters:
    ///   - kind: The kind.
    ///   - limit: The maximum number.
    /// - Returns: The facets with most photos, these first; years and ratings from the highest down.
    /// - Complexity: O(values × log values), and for cameras and folders O(limit × values).
    package func facets(_ kind: FacetKind, limit: Int) -> [Facet] {
        switch kind {
        case .tags: facetsOfTags(limit: limit)
        case .cameras: facetsOfCameras(limit: limit)
        case .folders: facetsOfFolders(limit: limit)
        case .years: Self.facets(years, limit: limit) { "taken:\($0.padded(to: 4))" }
        case .ratings: Self.facets(ratings.filter { $0.key != 0 }, limit: limit) { "rating:\($0)" }
        }
    }

    private func facetsOfTags(limit: Int) -> [Facet] {
        Self.distinct(Self.sorted(tags.map { ($0.key, $0.value.count) }), limit: limit) { folded, count in
            guard let written = tags[folded] else { return nil }
            return Self.facet(
                written.text, count: count, term: ConditionTerm(.tag, value: .text(folded, isPrefix: false)))
        }
    }

    private func facetsOfCameras(limit: Int) -> [Facet] {
        let words = cameras.map { (words: SearchWords($0.key.text), count: $0.value) }
        return Self.distinct(Self.sorted(cameras.map { ($0.key.text, $0.value) }), limit: limit) { text, _ in
            guard let phrase = SearchPhrase(text) else { return nil }
            let count = words.reduce(0) { $0 + (phrase.isFound(in: $1.words) ? $1.count : 0) }
            return Self.facet(text, count: count, term: ConditionTerm(.camera, value: .words(phrase)))
        }
    }

    /// The number of folders above one another that are counted: more than people make.
    private static let maximumFolderDepth = 16

    private func facetsOfFolders(limit: Int) -> [Facet] {
        let paths = folders.map { (names: FoldedText.path(of: $0.key.text), count: $0.value) }
        // Each folder counts for those above it.
        var above: [String: Written] = [:]
        for (folder, count) in folders {
            let names = folder.text.split(separator: "/", maxSplits: Self.maximumFolderDepth)
                .prefix(Self.maximumFolderDepth)
            for end in 1...max(names.count, 1) where end <= names.count {
                let text = names[..<end].joined(separator: "/")
                above[FoldedText.path(of: text).joined(separator: "/"), default: Written()].add(
                    ExactText(text: text), count: count)
            }
        }
        return Self.distinct(Self.sorted(above.map { ($0.key, $0.value.count) }), limit: limit) { path, _ in
            guard let written = above[path] else { return nil }
            let term = ConditionTerm(.folder, value: .text(path, isPrefix: false))
            let count = paths.reduce(0) { $0 + (term.matches(folder: $1.names) ? $1.count : 0) }
            return Self.facet(written.text, count: count, term: term)
        }
    }

    /// The values of most photos first; of as many photos, in the order of their texts.
    private static func sorted(_ values: [(String, Int)]) -> [(String, Int)] {
        values.sorted { $0.1 == $1.1 ? $0.0 < $1.0 : $0.1 > $1.1 }
    }

    /// The first facets of values, without those that no condition selects and those with the condition of an earlier one.
    private static func distinct(
        _ values: [(String, Int)], limit: Int, facet: (String, Int) -> Facet?
    ) -> [Facet] {
        var (facets, seen): ([Facet], Set<Condition>) = ([], [])
        for (text, count) in values where facets.count < limit {
            if let facet = facet(text, count), seen.insert(facet.condition).inserted { facets.append(facet) }
        }
        return facets
    }

    private static func facets(
        _ counts: [Int: Int], limit: Int, condition: (Int) -> String
    ) -> [Facet] {
        counts.sorted { $0.key > $1.key }.prefix(limit).compactMap { number, count in
            guard let term = try? Condition(parsing: condition(number)).root.terms.first else { return nil }
            return facet("\(number)", count: count, term: term)
        }
    }

    /// A facet; `nil` if no condition selects it.
    private static func facet(_ text: String, count: Int, term: ConditionTerm) -> Facet? {
        let condition = Condition(.term(term))
        guard (try? Condition(parsing: condition.canonicalText)) == condition else { return nil }
        return Facet(text: text, count: count, condition: condition)
    }
}
