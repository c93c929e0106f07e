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

    /// The tags or the albums that were counted.
    ///
    /// Chunks have most texts in common, so each text is divided into its values once.
    private struct Listed {
        /// A way to write a value.
        struct Value {
            let text: ExactText
            /// The number of the form in which conditions compare it.
            let form: Int
            var count = 0
        }

        /// The number of texts that are divided into values.
        private static let maximumTextCount = 4 * FacetCounts.maximumValueCount

        private(set) var values: [Value] = []
        private(set) var forms: [String] = []
        private(set) var isIncomplete = false
        private var numberOfForm: [String: Int] = [:]
        /// The places in ``values`` of the values of each text.
        private var placesOfText: [ExactText: [Int]] = [:]
        /// The last list in which a form was counted: a photo with two ways to write a value counts once.
        private var lastList: [Int] = []
        private var listCount = 0

        /// The places of the values of a text.
        mutating func places(of element: ListAttributes.Element, _ kind: FacetKind) -> [Int] {
            if let places = placesOfText[element.text] { return places }
            guard placesOfText.count < Self.maximumTextCount else {
                isIncomplete = true
                return []
            }
            var places: [Int] = []
            for value in FacetCounts.values(of: element, kind) {
                guard let form = number(of: value.form) else { continue }
                places.append(values.count)
                values.append(Value(text: value.text, form: form))
            }
            placesOfText[element.text] = places
            return places
        }

        private mutating func number(of form: String) -> Int? {
            if let number = numberOfForm[form] { return number }
            guard forms.count < FacetCounts.maximumValueCount else {
                isIncomplete = true
                return nil
            }
            numberOfForm[form] = forms.count
            forms.append(form)
            lastList.append(0)
            return forms.count - 1
        }

        /// Begins to count photos with the same list of texts.
        mutating func beginList() { listCount += 1 }

        /// Counts them for a value of one of the texts.
        mutating func add(_ count: Int, at place: Int) {
            let form = values[place].form
            guard lastList[form] != listCount else { return }
            lastList[form] = listCount
            values[place].count += count
        }

        /// The values by their forms, with the ways to write them.
        var written: [String: Written] {
            var written: [String: Written] = [:]
            for value in values { written[forms[value.form], default: Written()].add(value.text, count: value.count) }
            return written
        }
    }

    private var listed: [FacetKind: Listed] = [:]
    private var cameras: [ExactText: Int] = [:]
    private var folders: [ExactText: Int] = [:]
    private var years: [Int: Int] = [:]
    private var ratings: [Int: Int] = [:]
    private var incompleteTexts: Set<FacetKind> = []
    /// The kinds with more values than are counted.
    package var incomplete: Set<FacetKind> { incompleteTexts.union(listed.filter { $0.value.isIncomplete }.keys) }

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
            var known = listed.removeValue(forKey: kind) ?? Listed()
            let elements = texts.map { ListAttributes.Element(text: ExactText(text: $0), folded: kind.folded($0)) }
            known.beginList()
            for place in elements.flatMap({ known.places(of: $0, kind) }) { known.add(1, at: place) }
            listed[kind] = known
        }
        add(camera: photo.camera.map(ExactText.init), count: 1)
        add(folder: photo.file.folder.map(ExactText.init), count: 1)
        ratings[photo.rating ?? 0, default: 0] += 1
        add(days: photo.takenAt.map(CivilDate.days), count: 1)
    }

    private mutating func add(_ texts: ListAttributes, of mask: PhotoMask?, as kind: FacetKind) {
        var known = listed.removeValue(forKey: kind) ?? Listed()
        // The places of all texts in a row, and the range of each text: none until a photo has it, because only texts of
        // photos take the room of a value.
        var places: [Int] = []
        var ranges = [Range<Int>?](repeating: nil, count: texts.elements.count)
        Self.forEach(texts.lists, of: mask) { list, count in
            known.beginList()
            for index in list.start..<list.start + list.count {
                let number = Int(texts.numbers[Int(index)])
                let range: Range<Int>
                if let found = ranges[number] {
                    range = found
                } else {
                    let start = places.count
                    places += known.places(of: texts.elements[number], kind)
                    range = start..<places.count
                    ranges[number] = range
                }
                for place in range { known.add(count, at: places[place]) }
            }
        }
        listed[kind] = known
    }

    /// The values for which a text of a photo counts: a tag for itself, and an album also for those above it.
    fileprivate static func values(
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

    private mutating func add(camera text: ExactText?, count: Int) {
        guard let text else { return }
        guard cameras[text] != nil || cameras.count < Self.maximumValueCount else {
            incompleteTexts.insert(.cameras)
            return
        }
        cameras[text, default: 0] += count
    }

    private mutating func add(folder text: ExactText?, count: Int) {
        guard let text else { return }
        guard folders[text] != nil || folders.count < Self.maximumValueCount else {
            incompleteTexts.insert(.folders)
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
        let listed = listed[kind]?.written ?? [:]
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
