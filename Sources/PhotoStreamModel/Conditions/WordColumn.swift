/// A group of texts in which words are found, and the column of the index with their words.
package enum WordColumn: String, CaseIterable, Sendable {
    case title
    case caption
    case alt
    case tags
    case people
    case camera
    case folder
    case name

    /// The field that holds the texts.
    package var field: PhotoField {
        switch self {
        case .title: .text(.title)
        case .caption: .text(.caption)
        case .alt: .text(.alt)
        case .tags: .list(.tags)
        case .people: .list(.people)
        case .camera: .text(.camera)
        case .folder, .name: .text(.location)
        }
    }

    /// The texts of a photo: several for a list, at most one for all others.
    package func texts(of photo: Photo) -> [String] {
        switch self {
        case .title: [photo.title].compactMap(\.self)
        case .caption: [photo.caption].compactMap(\.self)
        case .alt: [photo.alt].compactMap(\.self)
        case .tags: photo.tags
        case .people: photo.people
        case .camera: [photo.camera].compactMap(\.self)
        case .folder: [photo.file.folder].compactMap(\.self)
        case .name: [photo.file.name].compactMap(\.self)
        }
    }

    /// The word between two texts of a list: no text contains it, so no phrase continues from one to the next.
    private static let border = "¦"

    /// The words of a photo's texts with spaces between them, as the index takes them; empty if there are none.
    package func indexed(of photo: Photo) -> String {
        texts(of: photo).map { SearchWords($0).words.joined(separator: " ") }.filter { !$0.isEmpty }
            .joined(separator: " \(Self.border) ")
    }
}

extension Condition {
    /// A search for words in the conditions, and where they are searched.
    package struct WordSearch: Hashable, Sendable {
        /// The words.
        package let words: SearchPhrase
        /// The columns.
        package let columns: [WordColumn]

        /// Creates a search.
        package init(_ words: SearchPhrase, in columns: [WordColumn]) {
            (self.words, self.columns) = (words, columns)
        }

        /// Creates a search in the texts of some fields.
        package init(_ words: SearchPhrase, in fields: PhotoFields) {
            self.init(words, in: WordColumn.allCases.filter { fields.contains($0.field) })
        }

        /// The search that a term is; `nil` if it is none.
        package init?(_ term: ConditionTerm) {
            guard case .words(let words) = term.value, let columns = term.qualifier.wordColumns else { return nil }
            self.init(words, in: columns)
        }
    }

    /// The searches for words that decide about a photo.
    package var wordSearches: Set<WordSearch> { Set(root.wordSearches) }
}

extension Condition.Node {
    fileprivate var wordSearches: [Condition.WordSearch] {
        switch self {
        case .all: []
        case .words(let words, let fields): [Condition.WordSearch(words, in: fields)]
        case .term(let term): Condition.WordSearch(term).map { [$0] } ?? []
        case .not(let inner): inner.wordSearches
        case .and(let parts), .or(let parts): parts.flatMap(\.wordSearches)
        }
    }
}

extension ConditionQualifier {
    /// The columns of the index in which its words are; `nil` if they are not in the index.
    var wordColumns: [WordColumn]? {
        switch self {
        case .name: [.name]
        case .text: [.title, .caption, .alt]
        default: nil
        }
    }
}
