import PhotoStreamModel
import PhotoStreamStorage

/// Facts about the photos of a chunk that are known without their rows.
struct ChunkFacts: ConditionFacts {
    let stream: StreamName
    let content: ChunkContent
    /// The photos found by words; `nil` if they are not known.
    let words: FoundWords?
    /// The attributes of the photos; `nil` if the condition has no term that they decide.
    let attributes: ChunkAttributes?
    /// The answers about texts of other chunks.
    let answers: TextAnswers

    var count: Int { content.count }

    func verdict(of term: ConditionTerm) -> ConditionVerdict {
        switch term.qualifier {
        // All photos of the chunk are in the same stream.
        case .stream: ConditionVerdict(met: PhotoMask(count: count, isFull: term.isName(of: stream)))
        case .name, .text: Condition.WordSearch(term).map { verdict(of: $0) } ?? .open(count: count)
        default: attributes?.verdict(of: term, knowing: answers) { content.metrics } ?? .open(count: count)
        }
    }

    func verdict(of words: SearchPhrase, in fields: PhotoFields) -> ConditionVerdict {
        verdict(of: Condition.WordSearch(words, in: fields))
    }

    private func verdict(of search: Condition.WordSearch) -> ConditionVerdict {
        guard let words, let found = words.found[search] else { return .open(count: count) }
        let ids = content.rowIDs.ids
        let isKnown = words.index.mask(of: ids)
        var (met, unmet) = (found.mask(of: ids), isKnown)
        unmet.formIntersection(met.inverted)
        met.formIntersection(isKnown)
        return ConditionVerdict(met: met, unmet: unmet)
    }
}

/// The photos that the index of words finds for each search of a condition.
struct FoundWords {
    let index: WordIndex
    let found: [Condition.WordSearch: RowIDSet]

    /// Searches the index.
    ///
    /// - Returns: `nil` without searches or without an index.
    /// - Throws: The errors of reading and of `check`, which is called before each search.
    init?(_ condition: Condition, in reader: PhotoReader, check: () throws -> Void) throws {
        let searches = condition.wordSearches
        guard !searches.isEmpty, let index = try reader.wordIndex() else { return nil }
        var found: [Condition.WordSearch: RowIDSet] = [:]
        for search in searches {
            try check()
            guard let photos = try index.photos(with: search) else { return nil }
            found[search] = photos
        }
        (self.index, self.found) = (index, found)
    }
}
