import PhotoStreamModel

/// Builds a page item by item.
struct PageBuilder {
    private let engine: LayoutEngine
    private let contentExtent: Int64
    /// The base of the tops of the run that places the page.
    private let base: Int64
    private var items: [LayoutAttributes] = []
    // The values of the next cursor, updated with every added item or line.
    private var index: Int
    private var origin: Int64
    private var state: LayoutState
    private var section: CursorSection?
    private(set) var line: CursorLine?

    init(_ engine: LayoutEngine, from cursor: LayoutCursor) {
        self.engine = engine
        contentExtent = cursor.contentExtent
        base = cursor.origin - engine.key.lineSpacing
        (index, origin, state) = (cursor.index, cursor.origin, cursor.state)
        (section, line) = (cursor.section, cursor.line)
    }

    /// The page so far.
    var page: LayoutPage {
        LayoutPage(
            items: items,
            next: LayoutCursor(
                index: index, origin: origin, state: state, section: section, line: line, contentExtent: contentExtent))
    }

    /// Adds an item that was placed together with all others.
    mutating func add(_ item: ItemMetrics, frame: AxisFrame?, ofSection mark: SectionMark) {
        if state.sectionMark != mark {
            // No frame depends on the section's start, so any value will do.
            enter(SectionStart(position: 0, mark: mark, origin: engine.key.lineSpacing))
        }
        add(item, frame: frame)
    }

    /// Adds an item of a map with clusters, which takes the next index.
    mutating func add(_ attributes: LayoutAttributes) {
        items.append(attributes)
        items[items.count - 1].index = index
        index += 1
    }

    /// Adds items of a layout that places each item immediately.
    mutating func addItems<Algorithm: ImmediateAlgorithm>(_ metrics: PackedMetrics, of algorithm: Algorithm) {
        let placement = engine.place(metrics, from: state)
        let frames = placement.frames.of(Algorithm.Frames.self)
        var starts = placement.sections[...]
        for position in 0..<metrics.count {
            while let start = starts.first, start.position == position {
                enter(start)
                starts.removeFirst()
            }
            let place = PagePlace(
                item: index - (section?.firstIndex ?? 0),
                itemsOrigin: (section?.origin ?? base) + engine.bands.before)
            let item = metrics[position]
            add(item, frame: algorithm.frame(at: position, in: frames, of: item, base: base, place: place))
        }
        origin += placement.extents.advance
        state = placement.exitState
    }

    /// Adds items of a map, which depend only on their position on the world or on the number of items before them
    /// without one.
    mutating func addItems(_ metrics: PackedMetrics, of map: MapAlgorithm) {
        var unlocated = state.of(MapState.self).unlocatedCount
        for position in 0..<metrics.count {
            let place = metrics[position].position
            let path =
                place == nil
                ? IndexPath(section: MapSection.unlocated.rawValue, item: unlocated)
                : IndexPath(section: MapSection.located.rawValue, item: index - unlocated)
            let frame = place.map { map.frame(atPacked: $0.packed) } ?? map.frame(ofUnlocated: unlocated)
            items.append(
                LayoutAttributes(
                    index: index, indexPath: path, frame: engine.axes.rect(frame, contentExtent: contentExtent),
                    zIndex: engine.level(ofItem: index, at: path)))
            if place == nil { unlocated += 1 }
            index += 1
        }
        state.set(MapState(unlocatedCount: unlocated))
    }

    /// Adds whole lines up to a limit, or the first part of a line that is longer.
    ///
    /// - Parameters:
    ///   - metrics: The items after the page so far.
    ///   - algorithm: The layout's algorithm.
    ///   - isEnd: Whether no photo follows them.
    ///   - limit: The maximum number of items to add.
    ///   - isPassing: Whether to skip the items and advance past whole lines only.
    ///   - check: See ``LayoutEngine/place(_:from:checking:)``.
    /// - Returns: Whether the first line's end is known.
    /// - Throws: Any error that `check` throws.
    @inline(__always)
    mutating func addLines<Algorithm: LineAlgorithm, Failure>(
        _ metrics: PackedMetrics, of algorithm: Algorithm, isEnd: Bool, limit: Int, isPassing: Bool = false,
        checking check: () throws(Failure) -> Void
    ) throws(Failure) -> Bool {
        let placement = try engine.place(metrics, from: state, checking: check)
        var frames = placement.frames.of(LineFrames.self)
        if isEnd {
            // The lines that were still open, with tops from the same base.
            let rest = engine.close(placement.exitState).frames.of(LineFrames.self)
            for position in rest.lines.indices {
                let line = rest.lines[position]
                frames.append(
                    top: line.top + placement.extents.advance, extent: Int64(line.extent),
                    itemCount: rest.items(of: position).count, flags: line.flags)
            }
        }
        guard !frames.lines.isEmpty else { return isEnd }
        var starts = placement.sections[...]
        var next = 0
        for position in frames.lines.indices {
            let range = frames.items(of: position)
            guard range.upperBound <= limit || position == 0 && !isPassing else { break }
            while let start = starts.first, start.position == range.lowerBound {
                enter(start)
                starts.removeFirst()
            }
            let record = frames.lines[position]
            let begun = CursorLine(
                record: LineRecord(top: base + record.top, extent: Int64(record.extent), start: 0, flags: record.flags),
                totals: algorithm.totals(metrics[range]), progress: LineProgress())
            if isPassing {
                index += range.count
                pass(begun, of: algorithm)
            } else {
                line = begun
                addToLine(metrics[range.lowerBound..<min(range.upperBound, limit)], of: algorithm)
            }
            if line == nil { next = position + 1 }
        }
        // The bound lines of the open section; the first line of a section is not bound.
        let bound = frames.lines[next...].dropFirst(line == nil ? 0 : 1).prefix { $0.flags.contains(.bound) }
        state.set(
            algorithm.binding(
                bound.indices.lazy.map { frames.items(of: $0).count },
                rest: isEnd ? nil : placement.exitState.of(Algorithm.State.self), in: state.of(Algorithm.State.self)))
        return true
    }

    /// Adds the next items of the cursor's line.
    mutating func addToLine(_ metrics: PackedMetrics, of algorithm: some LineAlgorithm) {
        guard var line else { return }
        var next = 0
        let (top, end) = (line.record.top, line.record.top + algorithm.thickness(of: line.record))
        _ = algorithm.forEachFrame(in: line.record, totals: line.totals, from: &line.progress, of: metrics, base: 0) {
            position, frame in
            // Items that were changed since may be thicker than the decided line, which keeps its thickness.
            var inside = frame
            inside.along = max(frame.along, top)
            inside.alongExtent = max(0, min(frame.along + frame.alongExtent, end) - inside.along)
            add(metrics[position], frame: inside, cut: frame.alongExtent - inside.alongExtent)
            next = position + 1
            return true
        }
        // A hidden line has no frames.
        for position in next..<metrics.count {
            add(metrics[position], frame: nil)
            line.progress.count += 1
        }
        self.line = line.progress.count < line.totals.count ? line : nil
        if self.line == nil { pass(line, of: algorithm) }
    }

    /// Advances past a line.
    private mutating func pass<Algorithm: LineAlgorithm>(_ line: CursorLine, of algorithm: Algorithm) {
        let known = state.of(Algorithm.State.self)
        let spacing = engine.key.lineSpacing
        if line.record.flags.contains(.hidden) {
            // Its top is the end of the section, after the previous line, if there is one.
            state.hasItems = known.line.previousExtent > 0
            origin = line.record.top + (state.hasItems ? spacing : 0)
        } else {
            state.hasItems = true
            origin = line.record.top + algorithm.thickness(of: line.record) + spacing
        }
        state.set(algorithm.state(after: line.record, line.totals, from: known))
    }

    private mutating func enter(_ start: SectionStart) {
        section = CursorSection(
            position: section.map { $0.position + 1 } ?? 0, firstIndex: index, origin: base + start.origin)
        state = engine.algorithm.layoutState(sectionMark: start.mark)
    }

    private mutating func add(_ item: ItemMetrics, frame: AxisFrame?, cut: Int64 = 0) {
        let nothing = AxisFrame(along: origin, across: 0, alongExtent: 0, acrossExtent: 0)
        var attributes = LayoutAttributes(
            index: index,
            indexPath: IndexPath(section: section?.position ?? 0, item: index - (section?.firstIndex ?? 0)),
            frame: engine.axes.rect(frame ?? nothing, contentExtent: contentExtent),
            captionExtent: frame == nil ? 0 : max(0, engine.captionExtent(of: item) - captionPart(of: cut)))
        if frame == nil { attributes.isHidden = true }
        items.append(attributes)
        index += 1
    }

    /// The part of a cell's cut extent along the scroll axis that its caption, under the picture, loses.
    private func captionPart(of cut: Int64) -> Int64 {
        engine.key.scrollDirection == .vertical ? cut : 0
    }
}

/// An algorithm that places each photo immediately, so that a page can end anywhere.
protocol ImmediateAlgorithm: LayoutAlgorithm {
    /// The frame of an item of a page.
    ///
    /// - Parameters:
    ///   - position: Its position among the items of the page.
    ///   - frames: The frames of all items.
    ///   - item: Its metrics.
    ///   - base: The base of the tops.
    ///   - place: Its position in its section.
    /// - Returns: The whole cell.
    func frame(at position: Int, in frames: Frames, of item: ItemMetrics, base: Int64, place: PagePlace) -> AxisFrame
}

/// The position of a page's item in its section.
struct PagePlace {
    /// Its position in the section.
    let item: Int
    /// The start of the section's items along the scroll axis.
    let itemsOrigin: Int64
}

extension ImmediateAlgorithm {
    func addPage<Failure>(
        to builder: inout PageBuilder, _ items: PackedMetrics, isEnd: Bool, limit: Int,
        checking check: () throws(Failure) -> Void
    ) throws(Failure) -> Bool {
        builder.addItems(items[0..<min(items.count, limit)], of: self)
        return true
    }
}
