/// A value that some photos of a view have in common, and the condition that selects them.
public struct Facet: Hashable, Sendable {
    /// The value as it is written in most of the photos: a tag, an album, a camera, a year, a rating or a folder.
    public let text: String
    /// The number of photos of the view that meet ``condition``.
    public let count: Int
    /// The condition to add to that of the view.
    public let condition: Condition
}

/// A kind of facets.
public enum FacetKind: String, CaseIterable, Sendable {
    case tags, albums, cameras, years, ratings, folders

    /// The values of a photo that decide.
    package var inputs: ConditionInputs {
        switch self {
        case .tags: ConditionInputs([.list(.tags)])
        case .albums: ConditionInputs([.list(.albums)])
        case .cameras: ConditionInputs([.text(.camera)])
        case .years: ConditionInputs([.takenAt])
        case .ratings: ConditionInputs([.number(.rating)])
        case .folders: ConditionInputs([.text(.location)])
        }
    }
}

extension FacetKind {
    /// The form in which conditions compare a text of a list.
    fileprivate func folded(_ text: String) -> String {
        self == .albums ? FoldedText.joinedPath(of: text) : FoldedText.folded(text)
    }
}

/// Counts photos by their tags, albums, cameras, years, ratings and folders.
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

    /// The tags and the albums, by the form in which conditions compare them.
    private var listed: [FacetKind: [String: Written]] = [:]
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
        guard let tags = attributes.lists(.tags), let albums = attributes.lists(.albums),
            let cameras = attributes.texts(.cameras), let folders = attributes.texts(.folders),
            let ratings = attributes.ratings, let days = attributes.days
        else {
            for photo in try photos() { add(photo) }
            return
        }
        add(tags, of: mask, as: .tags)
        add(albums, of: mask, as: .albums)
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
        for (kind, texts) in [(FacetKind.tags, photo.tags), (.albums, photo.albums)] {
            var counted: Set<String> = []
            var known = listed.removeValue(forKey: kind) ?? [:]
            let elements = texts.map { ListAttributes.Element(text: ExactText(text: $0), folded: kind.folded($0)) }
            for value in elements.flatMap({ Self.values(of: $0, kind) }) where counted.insert(value.form).inserted {
                add(value.text, form: value.form, count: 1, of: kind, to: &known)
            }
            listed[kind] = known
        }
        add(camera: photo.camera.map(ExactText.init), count: 1)
        add(folder: photo.file.folder.map(ExactText.init), count: 1)
        ratings[photo.rating ?? 0, default: 0] += 1
        add(days: photo.takenAt.map(CivilDate.days), count: 1)
    }

    private mutating func add(_ texts: ListAttributes, of mask: PhotoMask?, as kind: FacetKind) {
        var values: [(text: ExactText, form: String)] = []
        // The number of each value's form, and the values of each element.
        var (forms, formOfValue, valuesOfElement): ([String: Int], [Int], [Range<Int>]) = ([:], [], [])
        for element in texts.elements {
            let start = values.count
            for value in Self.values(of: element, kind) {
                let form = forms[value.form] ?? forms.count
                forms[value.form] = form
                formOfValue.append(form)
                values.append(value)
            }
            valuesOfElement.append(start..<values.count)
        }
        var counts = Array(repeating: 0, count: values.count)
        // The last list in which a form was counted: a photo with two values of a form counts once.
        var (lastList, list) = (Array(repeating: 0, count: forms.count), 0)
        Self.forEach(texts.lists, of: mask) { elements, count in
            list += 1
            for element in texts.numbers(of: elements) {
                for value in valuesOfElement[Int(element)] where lastList[formOfValue[value]] != list {
                    lastList[formOfValue[value]] = list
                    counts[value] += count
                }
            }
        }
        var known = listed.removeValue(forKey: kind) ?? [:]
        for (value, count) in zip(values, counts) where count > 0 {
            add(value.text, form: value.form, count: count, of: kind, to: &known)
        }
        listed[kind] = known
    }

    /// The values for which a text of a photo counts: a tag for itself, and an album also for those above it.
    private static func values(
        of element: ListAttributes.Element, _ kind: FacetKind
    ) -> [(text: ExactText, form: String)] {
        guard kind == .albums else { return [(element.text, element.folded)] }
        return paths(of: element.text.text).map { (ExactText(text: $0), FoldedText.joinedPath(of: $0)) }
    }

    /// The number of folders or albums above one another that are counted: more than people make.
    private static let maximumPathDepth = PhotoAlbum.maximumDepth

    /// A path, and those above it.
    private static func paths(of path: String) -> [String] {
        let names = PhotoAlbum.names(of: path).prefix(maximumPathDepth)
        return names.indices.map { names[...$0].joined(separator: "/") }
    }

    private mutating func add(
        _ text: ExactText, form: String, count: Int, of kind: FacetKind, to known: inout [String: Written]
    ) {
        guard known.count < Self.maximumValueCount || known[form] != nil else {
            incomplete.insert(kind)
            return
        }
        known[form, default: Written()].add(text, count: count)
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
        case .tags, .albums: facetsOfLists(kind, limit: limit)
        case .cameras: facetsOfCameras(limit: limit)
        case .folders: facetsOfFolders(limit: limit)
        case .years: Self.facets(years, limit: limit) { "taken:\($0.padded(to: 4))" }
        case .ratings: Self.facets(ratings.filter { $0.key != 0 }, limit: limit) { "rating:\($0)" }
        }
    }

    private func facetsOfLists(_ kind: FacetKind, limit: Int) -> [Facet] {
        let listed = listed[kind] ?? [:]
        return Self.distinct(Self.sorted(listed.map { ($0.key, $0.value.count) }), limit: limit) { form, count in
            guard let written = listed[form] else { return nil }
            let term = ConditionTerm(kind == .tags ? .tag : .album, value: .text(form, isPrefix: false))
            return Self.facet(written.text, count: count, term: term)
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

    private func facetsOfFolders(limit: Int) -> [Facet] {
        let paths = folders.map { (names: FoldedText.path(of: $0.key.text), count: $0.value) }
        // Each folder counts for those above it.
        var above: [String: Written] = [:]
        for (folder, count) in folders {
            for text in Self.paths(of: folder.text) {
                above[FoldedText.joinedPath(of: text), default: Written()].add(ExactText(text: text), count: count)
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
