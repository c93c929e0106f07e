import PhotoStreamModel

/// Puts a page together, item by item.
struct PageBuilder {
    private let engine: LayoutEngine
    private let contentExtent: Int64
    /// Where tops of the run that places the page are counted from.
    private let base: Int64
    private var items: [LayoutAttributes] = []
    // What the next cursor holds; goes on with every item or line that is added.
    private var index: Int
    private var origin: Int64
    private var state: LayoutState
    private var section: CursorSection?
    private var line: CursorLine?

    init(_ engine: LayoutEngine, _ cursor: LayoutCursor) {
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

    /// Adds an item that was placed with all others.
    mutating func add(_ item: ItemMetrics, _ frame: AxisFrame?, ofSection mark: SectionMark) {
        if state.sectionMark != mark {
            // Nothing is placed from there, so where the section begins does not matter.
            enter(SectionStart(position: 0, mark: mark, origin: engine.key.lineSpacing))
        }
        add(item, frame)
    }

    /// Adds items of a layout that places each as it comes.
    mutating func addItems(_ metrics: PackedMetrics) {
        let placement = engine.place(metrics, from: state)
        var starts = placement.sections[...]
        for position in 0..<metrics.count {
            while let start = starts.first, start.position == position {
                enter(start)
                starts.removeFirst()
            }
            add(metrics[position], frame(of: position, metrics[position], placement.frames))
        }
        origin += placement.extents.advance
        state = placement.exitState
    }

    /// Adds items of a map, where each stands by itself or by how many before it have no position.
    mutating func addItems(_ metrics: PackedMetrics, of map: MapKernel) {
        guard case .map(var unlocated) = state.algorithm else { preconditionFailure("a state of another layout") }
        for position in 0..<metrics.count {
            let place = metrics[position].position
            let path =
                place == nil
                ? IndexPath(section: MapSection.unlocated.rawValue, item: unlocated)
                : IndexPath(section: MapSection.located.rawValue, item: index - unlocated)
            let frame = place.map { map.frame(at: $0) } ?? map.frame(ofUnlocated: unlocated)
            items.append(
                engine.adjusted(
                    LayoutAttributes(
                        index: index, indexPath: path, frame: engine.axes.rect(frame, contentExtent: contentExtent),
                        zIndex: engine.level(index, path))))
            if place == nil { unlocated += 1 }
            index += 1
        }
        state.algorithm = .map(unlocated)
    }

    /// Adds whole lines as far as a limit allows, or the first part of a line that is longer.
    ///
    /// - Parameters:
    ///   - metrics: The items behind the page so far.
    ///   - isEnd: Whether no photo follows them.
    ///   - limit: The most items to add.
    ///   - isPassing: Whether to go on behind the lines without their items, and behind whole lines only.
    ///   - check: As for ``LayoutEngine/place(_:from:checking:)``.
    /// - Returns: Whether the first line's end is known.
    /// - Throws: What `check` throws.
    mutating func addLines<Failure>(
        _ metrics: PackedMetrics, isEnd: Bool, limit: Int, isPassing: Bool = false,
        checking check: () throws(Failure) -> Void
    ) throws(Failure) -> Bool {
        let placement = try engine.place(metrics, from: state, checking: check)
        var frames = lines(of: placement.frames)
        if isEnd {
            // What was still open, its tops counted from the same base.
            let rest = lines(of: engine.close(placement.exitState).frames)
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
                totals: engine.totals(metrics[range]), progress: LineProgress())
            if isPassing {
                index += range.count
                pass(begun)
            } else {
                line = begun
                addToLine(metrics[range.lowerBound..<min(range.upperBound, limit)])
            }
            if line == nil { next = position + 1 }
        }
        let isClosed = isEnd || !starts.isEmpty
        keep(
            frames.lines[next...].indices.lazy.map { frames.items(of: $0) }
                .prefix { $0.lowerBound < starts.first?.position ?? metrics.count }.map(\.count),
            isClosed ? nil : placement.exitState.algorithm)
        return true
    }

    /// Keeps the breaks that were decided behind the page, where they depend on more than the items behind it.
    ///
    /// - Parameters:
    ///   - itemCounts: The items of the lines of the open section that are decided and not on the page.
    ///   - rest: What the algorithm remembers behind them; `nil` where the section ends with them.
    private mutating func keep(_ itemCounts: some Sequence<Int>, _ rest: AlgorithmState?) {
        guard case .breaks(let open) = state.algorithm else { return }
        var breaks: OpenBreaks?
        if case .breaks(let known) = rest { breaks = known }
        state.algorithm = .breaks(
            OpenBreaks(line: open.line, decided: itemCounts, breaks, period: engine.breakoutPeriod))
    }

    /// Adds the next items of the line that the cursor holds.
    mutating func addToLine(_ metrics: PackedMetrics) {
        guard var line else { return }
        var next = 0
        let (top, end) = (line.record.top, line.record.top + engine.thickness(of: line.record))
        _ = engine.forEachFrame(in: line.record, line.totals, from: &line.progress, metrics, base: 0) {
            position, frame in
            // Items that were changed since may be thicker than the line that was decided, which stays as it is.
            var inside = frame
            inside.along = max(frame.along, top)
            inside.alongExtent = max(0, min(frame.along + frame.alongExtent, end) - inside.along)
            add(metrics[position], inside, cut: frame.alongExtent - inside.alongExtent)
            next = position + 1
            return true
        }
        // A line that is left out has no frames.
        for position in next..<metrics.count {
            add(metrics[position], nil)
            line.progress.count += 1
        }
        self.line = line.progress.count < line.totals.count ? line : nil
        if self.line == nil { pass(line) }
    }

    /// Goes on behind a line.
    private mutating func pass(_ line: CursorLine) {
        let spacing = engine.key.lineSpacing
        if line.record.flags.contains(.hidden) {
            // Its top is where the section ends: behind the line before it, if there is one.
            state.hasItems = state.algorithm.hasClosedLine
            origin = line.record.top + (state.hasItems ? spacing : 0)
        } else {
            state.hasItems = true
            origin = line.record.top + engine.thickness(of: line.record) + spacing
        }
        state.algorithm = engine.state(behind: line.record, line.totals, from: state.algorithm)
    }

    private mutating func enter(_ start: SectionStart) {
        section = CursorSection(
            position: section.map { $0.position + 1 } ?? 0, firstIndex: index, origin: base + start.origin)
        state = LayoutState(sectionMark: start.mark, hasItems: false, algorithm: engine.initialState.algorithm)
    }

    private mutating func add(_ item: ItemMetrics, _ frame: AxisFrame?, cut: Int64 = 0) {
        let nothing = AxisFrame(along: origin, across: 0, alongExtent: 0, acrossExtent: 0)
        var attributes = LayoutAttributes(
            index: index,
            indexPath: IndexPath(section: section?.position ?? 0, item: index - (section?.firstIndex ?? 0)),
            frame: engine.axes.rect(frame ?? nothing, contentExtent: contentExtent),
            captionExtent: frame == nil ? 0 : max(0, engine.captionExtent(of: item) - captionPart(of: cut)))
        if frame == nil { attributes.isHidden = true }
        items.append(engine.adjusted(attributes))
        index += 1
    }

    /// How much of what a cell lacks along the scroll axis its caption gives up: the caption lies under the picture.
    private func captionPart(of cut: Int64) -> Int64 {
        engine.key.scrollDirection == .vertical ? cut : 0
    }

    private func frame(of position: Int, _ item: ItemMetrics, _ frames: PackedFrames) -> AxisFrame {
        switch (engine.kernel, frames) {
        case (.masonry(let masonry), .narrow(let numbers)):
            return masonry.frame(UInt64(numbers.values[position]), of: item, base: base)
        case (.masonry(let masonry), .wide(let numbers)):
            return masonry.frame(numbers.values[position], of: item, base: base)
        case (.uniform(let cells), _):
            let (first, origin) = (section?.firstIndex ?? 0, section?.origin ?? base)
            return cells.frame(at: index - first, origin: origin + engine.bands.before)
        case (.custom, .free(let free)):
            return free.frames[position].moved(by: base)
        default: preconditionFailure("frames of another layout")
        }
    }

    private func lines(of frames: PackedFrames) -> LineFrames {
        guard case .lines(let lines) = frames else { preconditionFailure("a layout without lines") }
        return lines
    }
}
