import PhotoStreamLayout
import PhotoStreamModel

extension PlacedLayout {
    /// Applies an edit to the chunks, which must be folded afterwards.
    ///
    /// - Parameters:
    ///   - edit: An edit of the current photos.
    ///   - touched: Receives the positions of chunks whose own photos may have changed.
    mutating func apply(_ edit: ItemEdit, touched: inout [Int]) {
        switch edit {
        case .insert(let items, let index, let section): insert(items, at: index, section: section, touched: &touched)
        case .delete(let range): delete(range, touched: &touched)
        case .move(let range, let index, let section):
            let items = metrics(of: range)
            delete(range, touched: &touched)
            insert(items, at: index, section: section, touched: &touched)
        case .replace(let items, let index): replace(index..<index + items.count, with: items, touched: &touched)
        case .insertSection(let position):
            touchSection(at: list?.insertSection(at: position), touched: &touched)
        case .deleteSection(let position):
            touchSection(at: list?.removeSection(at: position), touched: &touched)
        }
    }

    /// Marks the chunk in which a section of a list was inserted or deleted as touched; `index` is `nil` without a
    /// list.
    private mutating func touchSection(at index: Int?, touched: inout [Int]) {
        precondition(index != nil, "sections that dates make can be neither inserted nor deleted")
        guard let index else { return }
        touch(index..<index + 1, touched: &touched)
    }

    private mutating func insert(
        _ items: PackedMetrics, at index: Int, section: Int?, touched: inout [Int]
    ) {
        guard items.count > 0 else { return }
        if chunks.isEmpty { (chunks, starts) = ([StreamChunk(.none)], [0, 0]) }
        var position = chunk(holding: index)
        let isOfSectionBefore = list?.insert(items.count, at: index, section: section)
        // At a border of two chunks, the photos belong to the chunk of their section.
        if position > 0, index == starts[position],
            isOfSectionBefore ?? (items.firstDate == chunks[position - 1].lastDate)
        {
            position -= 1
        }
        let offset = index - starts[position]
        replace(offset..<offset, ofChunkAt: position, with: items, touched: &touched)
    }

    private mutating func delete(_ range: Range<Int>, touched: inout [Int]) {
        list?.remove(range)
        replace(range, with: .none, touched: &touched)
    }

    /// Replaces the photos that exist.
    private mutating func replace(_ range: Range<Int>, with items: PackedMetrics, touched: inout [Int]) {
        var (rest, new) = (range.count, items)
        var position = chunk(holding: range.lowerBound)
        var offset = range.lowerBound - starts[position]
        while rest > 0 {
            let removed = min(rest, chunks[position].count - offset)
            let part = new[0..<min(removed, new.count)]
            replace(offset..<offset + removed, ofChunkAt: position, with: part, touched: &touched)
            new = new[part.count..<new.count]
            (rest, position, offset) = (rest - removed, position + 1, 0)
        }
    }

    private mutating func replace(
        _ range: Range<Int>, ofChunkAt position: Int, with items: PackedMetrics, touched: inout [Int]
    ) {
        chunks[position] = chunks[position].replacing(range, with: items)
        let growth = items.count - range.count
        if growth != 0 {
            starts.withUnsafeMutableBufferPointer { starts in
                for later in position + 1..<starts.count { starts[later] &+= growth }
            }
        }
        touched.append(position)
    }

    /// Marks the chunks with some photos as touched.
    ///
    /// - Parameters:
    ///   - range: The photos' positions; positions outside the stream count as the nearest chunk.
    ///   - touched: Receives the positions of the chunks.
    mutating func touch(_ range: Range<Int>, touched: inout [Int]) {
        guard !chunks.isEmpty, !range.isEmpty else { return }
        for position in chunk(holding: range.lowerBound)...chunk(holding: range.upperBound - 1) {
            chunks[position] = chunks[position].unfolded
            touched.append(position)
        }
    }

    /// The chunk of a photo; the last one after all photos.
    private func chunk(holding index: Int) -> Int {
        max(0, min(starts.partitioningIndex { $0 > index }, chunks.count) - 1)
    }

    /// The metrics of photos.
    private func metrics(of range: Range<Int>) -> PackedMetrics {
        guard !range.isEmpty else { return .none }
        let positions = chunk(holding: range.lowerBound)...chunk(holding: range.upperBound - 1)
        return PackedMetrics(
            joining: positions.map { position in
                let start = starts[position]
                let part = range.clamped(to: start..<starts[position + 1])
                return chunks[position].own[part.lowerBound - start..<part.upperBound - start]
            })
    }

    /// Splits chunks that have become too large and unites those that have become too small.
    ///
    /// - Parameter touched: The positions of chunks that may have, ascending.
    /// - Returns: Whether the positions of chunks have changed.
    mutating func regroup(_ touched: [Int]) -> Bool {
        var isRegrouped = false
        // From the back, so that earlier positions stay valid.
        for position in touched.reversed() where position < chunks.count {
            var group = position..<position + 1
            if chunks[position].count < sizes.least {
                group = position + 1 < chunks.count ? position..<position + 2 : max(0, position - 1)..<position + 1
            }
            let count = chunks[group].reduce(0) { $0 + $1.count }
            guard group.count > 1 || count > sizes.greatest || count == 0 else { continue }
            let start = starts[group.lowerBound]
            let metrics = PackedMetrics(joining: chunks[group].map(\.own))
            let parts = sizes.parts(of: count, cuttingAt: borders(of: metrics, from: start))
            chunks.replaceSubrange(group, with: parts.map { StreamChunk(metrics[$0]) })
            starts.replaceSubrange(group, with: parts.map { $0.lowerBound + start })
            isRegrouped = true
        }
        return isRegrouped
    }

    /// The positions at which sections begin in a part of the stream.
    private func borders(of metrics: PackedMetrics, from start: Int) -> [Int] {
        guard let list else {
            return SectionBorders(metrics, sectioning: engine.key.sections.sectioning, open: nil).positions
        }
        return list.sections(beginningIn: start...start + metrics.count).map { list.firsts[$0] - start }
    }
}
