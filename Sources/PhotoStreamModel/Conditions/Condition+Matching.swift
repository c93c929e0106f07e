extension Condition {
    /// Whether a photo meets the condition: the definition of each qualifier, term by term.
    ///
    /// Archived photos meet it like others; see ``includesArchived``.
    ///
    /// - Complexity: O(terms × length of the photo's texts).
    package func matches(_ subject: ConditionSubject) -> Bool {
        root.matches(subject)
    }
}

extension Condition.Node {
    /// Whether a photo meets the part.
    fileprivate func matches(_ subject: ConditionSubject) -> Bool {
        switch self {
        case .all: true
        case .words(let words, let fields): subject.texts(in: fields).contains { words.isFound(in: SearchWords($0)) }
        case .term(let term): term.matches(subject)
        case .not(let inner): !inner.matches(subject)
        case .and(let parts): parts.allSatisfy { $0.matches(subject) }
        case .or(let parts): parts.contains { $0.matches(subject) }
        }
    }
}

extension ConditionTerm {
    /// Whether a photo has the property.
    package func matches(_ subject: ConditionSubject) -> Bool {
        switch value {
        case .text: matchesText(of: subject)
        case .words: texts(of: subject).contains { matches(words: SearchWords($0)) }
        case .numbers:
            qualifier == .rating
                ? matches(rating: subject.photo.rating)
                : matches(size: subject.photo.pixelSize, from: subject.photo.metricsSource)
        case .days: days(of: subject).map { matches(days: $0, today: subject.today) } ?? false
        case .circle(let circle): subject.photo.coordinate.map(circle.contains) ?? false
        case .box(let box): subject.photo.coordinate.map(box.contains) ?? false
        case .fileType(let type): subject.fileType == type
        case .field(let field): subject.photo.hasValue(of: field)
        case .state(let state): subject.isIn(state)
        }
    }

    private func matchesText(of subject: ConditionSubject) -> Bool {
        switch qualifier {
        case .tag: matches(folded: subject.photo.tags.lazy.map(FoldedText.folded))
        case .stream: isName(of: subject.stream)
        case .album: matches(folded: subject.photo.albums.lazy.map(FoldedText.joinedPath))
        case .folder: matches(folder: FoldedText.path(of: subject.photo.file.folder ?? ""))
        default: false
        }
    }

    private func matches(folded texts: some Sequence<String>) -> Bool {
        FoldedPattern(self).map { pattern in texts.contains { pattern.matches($0.utf8) } } ?? false
    }

    private func texts(of subject: ConditionSubject) -> [String] {
        if let columns = qualifier.wordColumns { return columns.flatMap { $0.texts(of: subject.photo) } }
        let photo = subject.photo
        return switch qualifier {
        case .camera: [photo.camera].compactMap(\.self)
        case .lens: [photo.lens].compactMap(\.self)
        case .place: photo.coordinate.map(subject.placeNames) ?? []
        default: []
        }
    }

    private func days(of subject: ConditionSubject) -> ClosedRange<Int>? {
        switch qualifier {
        case .taken: subject.photo.takenAt.map(CivilDate.days)
        case .added: subject.addedOn.map { $0.daysSince1970...$0.daysSince1970 }
        default: nil
        }
    }
}

// The comparison of one value of a photo, which needs no photo: packed attributes compare each distinct value once.
extension ConditionTerm {
    /// Whether it is the name of a stream.
    package func isName(of stream: StreamName) -> Bool {
        qualifier == .stream && isEqual(FoldedText.folded(stream.rawValue))
    }

    /// Whether it is a folder or some of its parents, given as folded names.
    func matches(folder folders: [String]) -> Bool {
        guard qualifier == .folder, case .text(let text, let isPrefix) = value else { return false }
        // The last name is empty, and so the beginning of any, if only an asterisk follows the last slash.
        let names = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map {
            String(Substring($0))
        }
        let (last, others) = (names.last ?? "", names.dropLast())
        return folders.indices.contains { end in
            let isLast = isPrefix ? folders[end].utf8.starts(with: last.utf8) : folders[end] == last
            return isLast && folders[..<end].suffix(others.count).elementsEqual(others)
        }
    }

    private func isEqual(_ other: String) -> Bool {
        guard case .text(let text, let isPrefix) = value else { return false }
        return isPrefix ? other.utf8.starts(with: text.utf8) : other == text
    }

    /// Whether it is in a text.
    func matches(words: SearchWords) -> Bool {
        if case .words(let phrase) = value { phrase.isFound(in: words) } else { false }
    }

    /// Whether a rating is in its range; a photo without one has 0.
    func matches(rating: Int?) -> Bool {
        if qualifier == .rating, case .numbers(let range) = value { range.contains(rating ?? 0) } else { false }
    }

    /// Whether a displayed size has its ratio, width, height or shape.
    ///
    /// - Parameters:
    ///   - size: The size.
    ///   - source: Its origin: an assumed size has none of them, and one that is only a ratio no width or height.
    /// - Returns: Whether it does.
    func matches(size: PixelSize, from source: MetricsSource) -> Bool {
        switch (qualifier, value) {
        case (.ratio, .numbers(let range)): source != .assumed && range.contains(size.ratioInHundredths)
        case (.width, .numbers(let range)): source == .measured && range.contains(Int(size.width))
        case (.height, .numbers(let range)): source == .measured && range.contains(Int(size.height))
        case (.is, .state(let state)): source != .assumed && state.isShape(of: size)
        default: false
        }
    }

    /// Whether all days that a time may mean are in its range.
    func matches(days: ClosedRange<Int>, today: CivilDate) -> Bool {
        if case .days(let range) = value { range.range(today: today).contains(days) } else { false }
    }
}

/// A term's comparison with the folded form of a tag or an album, byte by byte.
///
///     let pattern = FoldedPattern(term)  // of `album:Italy`
///     pattern?.matches("italy/2025".utf8)  // true
struct FoldedPattern {
    private let text: [UInt8]
    private let isPrefix: Bool
    /// Whether an album below it is in it.
    private let isPath: Bool

    /// Creates the pattern of a term about tags or albums; `nil` for any other.
    init?(_ term: ConditionTerm) {
        guard term.qualifier == .tag || term.qualifier == .album, case .text(let text, let isPrefix) = term.value else {
            return nil
        }
        (self.text, self.isPrefix, isPath) = (Array(text.utf8), isPrefix, term.qualifier == .album)
    }

    /// Whether a folded text matches.
    func matches(_ other: some Collection<UInt8>) -> Bool {
        guard other.starts(with: text) else { return false }
        guard !isPrefix, let next = other.dropFirst(text.count).first else { return true }
        return isPath && next == UInt8(ascii: "/")
    }
}
