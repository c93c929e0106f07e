public import PhotoStreamModel
import PhotoStreamStorage

extension PhotoStreamService {
    /// The maximum number of kept views of a file.
    public static let maximumViewCount = KeptView.maximumCount
    /// The maximum length of the description of a kept view, in bytes of UTF-8.
    public static let maximumDescriptionByteCount = KeptView.maximumDescriptionByteCount

    /// Creates a kept view: a name for the photos of a stream that meet a condition now.
    ///
    /// - Parameters:
    ///   - name: Its name, which no stream and no other kept view has.
    ///   - source: The stream, which never changes.
    ///   - rule: The condition. Days such as those of `taken:last-30d` are counted from the day of each question.
    ///   - description: A text about it; empty for none.
    /// - Throws: ``StreamServiceError/unknownStream(_:)``, ``StreamServiceError/keptView(_:)`` if the source is one,
    ///   ``StreamServiceError/unansweredCondition(_:)``, ``StreamServiceError/emptyRule``,
    ///   ``StreamServiceError/ruleAboutStream(_:)``,
    ///   ``StreamServiceError/longDescription(byteCount:maximum:)``, ``StreamServiceError/tooManyViews(maximum:)``, and
    ///   `StorageError` if the name is taken.
    public func createView(
        _ name: StreamName, of source: StreamName, where rule: Condition, description: String = ""
    ) throws {
        try Self.check(rule)
        try Self.check(description)
        try write { writer in
            let row = try writer.reader.row(of: source)
            guard try writer.reader.keptViewCount() < Self.maximumViewCount else {
                throw StreamServiceError.tooManyViews(maximum: Self.maximumViewCount)
            }
            try writer.createView(
                named: name, of: row, rule: rule.canonicalText, description: description.isEmpty ? nil : description,
                now: now())
        }
    }

    /// Changes the name of a stream or a kept view, and the rule, the description and the cover of a kept view.
    ///
    /// - Parameters:
    ///   - name: The stream or kept view.
    ///   - newName: Its new name; `nil` for none.
    ///   - rule: Its new rule; `nil` for none.
    ///   - description: Its new description; empty to remove it, `nil` for none.
    ///   - cover: The photo that stands for it, one that it shows; cleared, the first that it shows.
    ///   - check: Receives the stream as it was, in the transaction of the write. An error that it throws prevents the
    ///     write.
    /// - Throws: ``StreamServiceError/unknownStream(_:)``, ``StreamServiceError/notKeptView(_:)``,
    ///   ``StreamServiceError/unknownPhoto(_:stream:)`` and ``StreamServiceError/hiddenCover(_:)`` for a cover that the
    ///   view does not show, the errors of
    ///   ``createView(_:of:where:description:)`` about the same values, and the errors of `check`.
    public func changeStream(
        _ name: StreamName, to newName: StreamName? = nil, where rule: Condition? = nil, description: String? = nil,
        cover: FieldChange<PhotoID> = .keep, if check: ((StreamSummary) throws -> Void)? = nil
    ) throws {
        if let rule { try Self.check(rule) }
        if let description { try Self.check(description) }
        try write { writer in
            let row = try writer.reader.rowOfAny(name)
            try check?(try writer.reader.summary(of: row))
            if rule != nil || description != nil || cover != .keep {
                guard let kept = row.kept else { throw StreamServiceError.notKeptView(name.rawValue) }
                let text = description ?? kept.description
                let chosen = if case .set(let id) = cover { id } else { PhotoID?.none }
                try writer.setDefinition(
                    ofView: name, rule: rule?.canonicalText ?? kept.rule, description: text == "" ? nil : text,
                    cover: cover == .keep ? kept.cover : chosen)
                // By the new rule.
                if let chosen {
                    let shown = try writer.reader.photos(named: name)
                    guard shown.shows(try writer.reader.photo(chosen, of: shown).photo) else {
                        throw StreamServiceError.hiddenCover(chosen.rawValue)
                    }
                }
            }
            if let newName { try writer.renameStream(named: name, to: newName) }
        }
    }

    /// Returns whether a name is that of a kept view of a stream.
    package func isView(_ name: StreamName, of stream: StreamName) throws -> Bool {
        try transaction { reader in
            guard let kept = try reader.stream(named: name)?.kept else { return false }
            return try reader.stream(id: kept.sourceID)?.name == stream
        }
    }

    /// Returns whether the number of photos of a stream takes a selection; of any stream, if none is given.
    package func countsBySelection(_ name: StreamName? = nil) throws -> Bool {
        try transaction { reader in
            guard let name else { return try reader.keptViewCount() > 0 }
            return try reader.stream(named: name)?.kept != nil
        }
    }

    /// Refuses a kept view.
    ///
    /// - Throws: ``StreamServiceError/unknownStream(_:)``, ``StreamServiceError/keptView(_:)``.
    package func requireStream(_ name: StreamName) throws { _ = try transaction { try $0.row(of: name) } }

    /// Refuses a rule that every photo meets, or that reads values that photos do not have, or the name of the stream, which
    /// is always the same.
    private static func check(_ rule: Condition) throws {
        guard rule.root != .all else { throw StreamServiceError.emptyRule }
        if let term = rule.root.terms.first(where: { $0.inputs.context.contains(.stream) }) {
            throw StreamServiceError.ruleAboutStream(term.canonicalText)
        }
        _ = try ViewCondition(rule)
    }

    private static func check(_ description: String) throws {
        let (byteCount, maximum) = (description.utf8.count, maximumDescriptionByteCount)
        guard byteCount <= maximum else {
            throw StreamServiceError.longDescription(byteCount: byteCount, maximum: maximum)
        }
    }
}
