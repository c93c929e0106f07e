import PhotoStreamModel

extension PlacedLayout {
    /// Makes the changes of a context to photos and sections, and marks the chunks that they touch.
    mutating func apply(_ step: InvalidationContext.Step, _ session: inout EditSession) {
        switch step {
        case .edit(.insert(let items, let index, let section)):
            list?.insert(items.count, at: index, section: section)
            replace(index..<index, with: items, &session)
        case .edit(.delete(let range)):
            list?.remove(range)
            replace(range, with: PackedMetrics([]), &session)
        case .edit(.move(let range, let index, let section)):
            let items = metrics(of: range, &session)
            list?.remove(range)
            replace(range, with: PackedMetrics([]), &session)
            list?.insert(items.count, at: index, section: section)
            replace(index..<index, with: items, &session)
        case .edit(.reload(let items, let index)): replace(index..<index + items.count, with: items, &session)
        case .edit(.insertSection(let position)):
            precondition(list != nil, "sections that dates make cannot be inserted")
            list?.insertSection(at: position)
            if let first = list?.items(of: position).lowerBound { touch(first..<first, &session) }
        case .edit(.deleteSection(let position)):
            guard let items = list?.items(of: position) else {
                preconditionFailure("sections that dates make cannot be deleted")
            }
            list?.remove(items)
            list?.removeSection(at: position)
            replace(items, with: PackedMetrics([]), &session)
            touch(items.lowerBound..<items.lowerBound, &session)
        case .items(let range): touch(range, &session)
        case .sections(let range):
            for section in range { touch(items(of: section, session), &session) }
        }
    }

    private static let outside = "a position outside the stream"

    /// The positions of a section's items; all items where edits have left that open.
    private func items(of section: Int, _ session: EditSession) -> Range<Int> {
        if let list { return list.items(of: section) }
        guard !session.hasEdits else { return 0..<chunks.reduce(0) { $0 + $1.count } }
        precondition(directory.sections.indices.contains(section), "there is no such section")
        return directory.sections[section].items
    }

    /// The metrics of photos.
    private func metrics(of range: Range<Int>, _ session: inout EditSession) -> PackedMetrics {
        var (chunk, offset) = session.locate(range.lowerBound, directory)
        var words: [UInt64] = []
        while words.count < range.count {
            precondition(chunk < chunks.count, Self.outside)
            let own = chunks[chunk].own
            let count = min(range.count - words.count, own.count - offset)
            words += own[offset..<offset + count].words
            (chunk, offset) = (chunk + 1, 0)
        }
        return PackedMetrics(words: words)
    }

    /// Marks the chunks that hold some photos, or a position.
    private mutating func touch(_ range: Range<Int>, _ session: inout EditSession) {
        guard !chunks.isEmpty else { return }
        var (chunk, offset) = session.locate(range.lowerBound, directory)
        precondition(range.lowerBound >= 0 && offset <= chunks[chunk].count, Self.outside)
        var rest = max(1, range.count)
        while rest > 0, chunk < chunks.count {
            session.touch(chunk)
            rest -= chunks[chunk].count - offset
            chunks[chunk] = chunks[chunk].unfolded
            (chunk, offset) = (chunk + 1, 0)
        }
    }

    /// Puts photos in place of others.
    private mutating func replace(_ range: Range<Int>, with items: PackedMetrics, _ session: inout EditSession) {
        precondition(range.lowerBound >= 0, Self.outside)
        guard !range.isEmpty || items.count > 0 else { return }
        guard !chunks.isEmpty else {
            precondition(range == 0..<0, Self.outside)
            chunks = [StreamChunk(items)]
            session.touch(0, count: items.count)
            return
        }
        var (chunk, offset) = session.locate(range.lowerBound, directory)
        var (rest, new) = (range.count, items)
        repeat {
            precondition(chunk < chunks.count && offset <= chunks[chunk].count, Self.outside)
            let old = chunks[chunk]
            let removed = min(rest, old.count - offset)
            chunks[chunk] = old.replacing(offset..<offset + removed, with: new)
            session.touch(chunk, count: old.count - removed + new.count)
            rest -= removed
            (chunk, offset, new) = (chunk + 1, 0, PackedMetrics([]))
        } while rest > 0
    }

    /// Splits chunks that have become too large and unites those that have become too small.
    ///
    /// - Parameter touched: The positions of chunks that may have, ascending.
    /// - Returns: Whether chunks have other positions now.
    mutating func regroup(_ touched: [Int]) -> Bool {
        var isRegrouped = false
        // From the back, so that the positions before stay.
        for position in touched.reversed() where position < chunks.count {
            let count = chunks[position].count
            if count >= Self.greatestChunk {
                split(position)
            } else if count == 0 {
                chunks.remove(at: position)
            } else if count < Self.leastChunk, chunks.count > 1 {
                unite(position)
            } else {
                continue
            }
            isRegrouped = true
        }
        return isRegrouped
    }

    private mutating func split(_ position: Int) {
        let own = chunks[position].own
        let parts = (own.count + Self.chunkCapacity - 1) / Self.chunkCapacity
        let pieces = (0..<parts).map { part in
            StreamChunk(own.count * part / parts..<own.count * (part + 1) / parts, of: own)
        }
        chunks.replaceSubrange(position...position, with: pieces)
    }

    private mutating func unite(_ position: Int) {
        let first = position + 1 < chunks.count ? position : position - 1
        let words = chunks[first].own.words + chunks[first + 1].own.words
        chunks.replaceSubrange(first...first + 1, with: [StreamChunk(PackedMetrics(words: words))])
        if words.count >= Self.greatestChunk { split(first) }
    }
}
