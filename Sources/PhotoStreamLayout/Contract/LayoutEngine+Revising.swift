import PhotoStreamModel

extension LayoutEngine {
    /// Places a chunk of which a part was placed before: only the sections that an edit or another state reaches are
    /// folded again. Nothing that a section holds depends on the one before it but where it begins.
    ///
    ///     draft   | sections that stand | edited .......... | sections that only move |
    ///     chunk   | as they are         | folded again ........ | by what that came to    |
    ///
    /// - Parameters:
    ///   - items: The chunk's photos.
    ///   - draft: What was placed.
    ///   - state: The state before the chunk.
    ///   - keepsStart: Whether the draft began from the same state and the same pending photos.
    ///   - borders: Gives the sections that begin in a part of the chunk, behind an open one.
    /// - Returns: The placement and how many photos were folded, or `nil` where all have to be. Its longest item may be
    ///   one that is gone.
    func place(
        _ items: PackedMetrics, revising draft: StreamChunk.Draft, from state: LayoutState, keepsStart: Bool,
        _ borders: (Range<Int>, SectionMark?) -> SectionBorders
    ) -> (placement: ChunkPlacement, count: Int)? {
        let old = draft.fold.placement
        // A section that ends where the edit begins may have grown, so the one before counts as reached too.
        let before = keepsStart ? old.sections.partitioningIndex { $0.position >= draft.prefix } - 1 : -1
        let first = before < 0 ? 0 : old.sections[before].position
        let firstSection = before < 0 ? 0 : old.sections.partitioningIndex { $0.position >= first }
        let oldEnd = draft.count - draft.suffix
        let nextSection = old.sections.partitioningIndex { $0.position > oldEnd }
        let next = nextSection < old.sections.count ? old.sections[nextSection] : nil
        guard first > 0 || next != nil else { return nil }

        let moved = items.count - draft.count
        let range = first..<(next.map { $0.position + moved } ?? items.count)
        let from = before < 0 ? state : initialState
        var starts = borders(range, from.sectionMark).starts
        if let next { starts.append((range.count, next.mark)) }
        let new = place(items[range], SectionBorders(starts: starts), from: from)
        let shift = before < 0 ? 0 : old.sections[firstSection].origin - key.lineSpacing
        let lent = draft.fold.lentCount
        let revision = Revision(
            old: old, new: new, keptItems: before < 0 ? 0 : lent + first, keptSections: firstSection, first: first,
            shift: shift, next: next.map { (lent + $0.position, nextSection) }, moved: moved)
        return (revision.placement(self), range.count)
    }
}

/// A placement of which a part is replaced.
private struct Revision {
    let old: ChunkPlacement
    let new: ChunkPlacement
    /// How many items and sections from the first on stand as they are.
    let keptItems: Int
    let keptSections: Int
    /// The position of the first photo that was folded again, and how far what it gave lies from the chunk's base.
    let first: Int
    let shift: Int64
    /// The first item and the first section of the old placement that only move, where there are any.
    let next: (item: Int, section: Int)?
    /// By how many positions they do.
    let moved: Int

    func placement(_ engine: LayoutEngine) -> ChunkPlacement {
        guard let next else {
            let extents = extents(advance: new.extents.advance + shift, behind: nil)
            return ChunkPlacement(
                exitState: new.exitState, extents: extents, frames: frames(engine, extents, behind: nil), sections: old.sections[..<keptSections] + middle)
        }
        // The last start is that of the section that only moves.
        let start = (middle.last?.origin ?? 0)
        let distance = start - old.sections[next.section].origin
        let sections = old.sections[next.section...].map {
            SectionStart(position: $0.position + moved, mark: $0.mark, origin: $0.origin + distance)
        }
        let behind = Behind(items: next.item..<old.extents.placedCount, distance: distance)
        let extents = extents(advance: old.extents.advance + distance, behind: behind)
        return ChunkPlacement(
            exitState: old.exitState, extents: extents, frames: frames(engine, extents, behind: behind),
            sections: old.sections[..<keptSections] + middle.dropLast() + sections)
    }

    /// The items that only move.
    private struct Behind {
        let items: Range<Int>
        let distance: Int64
    }

    private var middle: [SectionStart] {
        new.sections.map { SectionStart(position: first + $0.position, mark: $0.mark, origin: $0.origin + shift) }
    }

    private func extents(advance: Int64, behind: Behind?) -> ChunkExtents {
        var extents = ChunkExtents(
            advance: advance, placedCount: keptItems + new.extents.placedCount + (behind?.items.count ?? 0),
            leastTop: .max, greatestEnd: .min, longestItem: max(old.extents.longestItem, new.extents.longestItem))
        func add(_ part: ChunkExtents, shift: Int64) {
            extents.leastTop = min(extents.leastTop, part.leastTop + shift)
            extents.greatestEnd = max(extents.greatestEnd, part.greatestEnd + shift)
        }
        if keptItems > 0 { extents.leastTop = old.extents.leastTop }
        if new.extents.placedCount > 0 { add(new.extents, shift: shift) }
        if let behind, !behind.items.isEmpty { add(old.extents, shift: behind.distance) }
        return extents
    }

    private func frames(_ engine: LayoutEngine, _ extents: ChunkExtents, behind: Behind?) -> PackedFrames {
        var parts = [(old.frames, 0..<keptItems, Int64(0)), (new.frames, 0..<new.frames.count, shift)]
        if let behind { parts.append((old.frames, behind.items, behind.distance)) }
        return PackedFrames(joining: parts, greatestEnd: extents.greatestEnd, columnBits: engine.kernel.columnBits)
    }
}

extension Kernel {
    /// The low bits of a masonry's numbers that hold a column.
    fileprivate var columnBits: Int {
        if case .masonry(let masonry) = self { masonry.columnBits } else { 0 }
    }
}

extension PackedFrames {
    /// Joins frames of one layout.
    ///
    /// - Parameters:
    ///   - parts: Frames, which of them, and how far they move.
    ///   - greatestEnd: No top lies below it, after the move.
    ///   - columnBits: The low bits of a masonry's numbers that hold a column.
    fileprivate init(
        joining parts: [(frames: PackedFrames, items: Range<Int>, shift: Int64)], greatestEnd: Int64, columnBits: Int
    ) {
        let bits = Int64(columnBits)
        switch parts[0].frames {
        case .narrow, .wide:
            let narrow = parts.compactMap { part in
                if case .narrow(let numbers) = part.frames {
                    (numbers[part.items], UInt32(truncatingIfNeeded: part.shift << bits))
                } else {
                    nil
                }
            }
            // One pixel more has room for the column.
            if narrow.count == parts.count, (greatestEnd + 1) << bits <= Int64(UInt32.max) {
                self = .narrow(Self.joined(narrow))
            } else {
                self.init(Self.joined(parts.map { ($0.frames.widened[$0.items], UInt64(bitPattern: $0.shift << bits)) }))
            }
        case .lines: self = .lines(LineFrames(joining: parts))
        case .computed: self = .computed(count: parts.reduce(0) { $0 + $1.items.count })
        }
    }

    private static func joined<Number: FixedWidthInteger & UnsignedInteger>(
        _ parts: [(numbers: ArraySlice<Number>, shift: Number)]
    ) -> [Number] {
        [Number](unsafeUninitializedCapacity: parts.reduce(0) { $0 + $1.numbers.count }) { buffer, count in
            for (numbers, shift) in parts {
                numbers.withUnsafeBufferPointer { numbers in
                    for index in numbers.indices { buffer[count &+ index] = numbers[index] &+ shift }
                }
                count += numbers.count
            }
        }
    }

    private var widened: [UInt64] {
        switch self {
        case .narrow(let numbers): numbers.map { UInt64($0) }
        case .wide(let numbers): numbers
        case .lines, .computed: preconditionFailure("frames of another layout")
        }
    }
}

extension LineFrames {
    fileprivate init(joining parts: [(frames: PackedFrames, items: Range<Int>, shift: Int64)]) {
        for part in parts where !part.items.isEmpty {
            guard case .lines(let frames) = part.frames else { preconditionFailure("frames of another layout") }
            let first = frames.lines.partitioningIndex { $0.start >= part.items.lowerBound }
            let end = frames.lines.partitioningIndex { $0.start >= part.items.upperBound }
            for line in first..<end {
                let record = frames.lines[line]
                append(
                    top: record.top + part.shift, extent: Int64(record.extent),
                    itemCount: frames.items(of: line).count, flags: record.flags)
            }
        }
    }
}
