import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamTestSupport

/// A chain of pages that goes on while the stream changes.
struct ModelChain {
    /// Its number in the model, which remembers its place.
    let number: Int
    /// The position of the layout.
    let layout: Int
    let limit: Int
    let firstRevision: Revision
    var cursor: String
    /// The photos that were served, as they were then.
    var served: [ItemMetrics]
    /// The photos after the last page when it was served.
    var behind: [ItemMetrics]
    /// Whether the served frames equal those of a layout of them and of all photos after them.
    var isExact: Bool
    /// The frames of the last page.
    var frames: [PixelRect] = []
}

extension PixelRect {
    fileprivate func overlaps(_ other: PixelRect) -> Bool {
        x < other.x + other.width && other.x < x + width && y < other.y + other.height && other.y < y + height
    }
}

extension LayoutConfiguration {
    /// Whether a photo's place depends on photos before it alone.
    fileprivate var placesOneByOne: Bool {
        switch algorithm {
        case .masonry, .grid, .map: true
        case .flow, .justified, .placed: false
        }
    }

    /// Whether frames are counted from the end of the content.
    fileprivate var countsFromEnd: Bool {
        if scrollDirection == .horizontal, layoutDirection == .rightToLeft { return true }
        guard case .masonry(let parameters) = algorithm else { return false }
        return parameters.anchor == .end
    }
}

extension ModelWorld {
    /// Begins a chain or goes on with one.
    func checkChains() throws {
        if chains.count < 6, random.oneIn(3) { try beginChain() }
        guard !chains.isEmpty, random.oneIn(2) else { return }
        let position = random.int(in: 0...chains.count - 1)
        guard let rest = stream.rest(ofChain: chains[position].number) else {
            // Its place is one that the rules do not settle any more.
            chains.remove(at: position)
            return
        }
        do {
            let isOver = try goOn(&chains[position], rest.photos, first: rest.first)
            if isOver {
                stream.setPlace(behind: nil, ofChain: chains[position].number)
                chains.remove(at: position)
            }
        } catch let mismatch as Mismatch {
            let chain = chains[position]
            throw Mismatch(
                description: "a chain of \(layouts[chain.layout].key) by \(chain.limit) after "
                    + "\(chain.served.count) photos: \(mismatch)")
        }
    }

    private func beginChain() throws {
        let layout = random.int(in: 0...layouts.count - 1)
        let limit = random.element(of: [1, 3, 10, 40])
        let page = try anyone().read { try $0.layout(layouts[layout].key, of: Gallery.stream).page(limit: limit) }
        var chain = ModelChain(
            number: fresh(), layout: layout, limit: limit, firstRevision: page.chainRevision, cursor: "", served: [],
            behind: stream.metrics, isExact: true)
        let entries = stream.entries.filter { $0.photo != nil }
        guard try !check(page, &chain, entries, first: 0) else { return }
        chains.append(chain)
    }

    /// - Returns: Whether the chain is over.
    private func goOn(_ chain: inout ModelChain, _ rest: [ModelStream.Entry], first: Int) throws -> Bool {
        let page = try anyone().read {
            try $0.layout(of: Gallery.stream, after: chain.cursor).page(.after(chain.cursor), limit: chain.limit)
        }
        try expect(page.chainRevision == chain.firstRevision, "another chain's revision")
        let metrics = rest.compactMap { entry in entry.photo?.metrics(orderTime: entry.orderTime, stream.order) }
        if metrics != chain.behind, !layouts[chain.layout].configuration.placesOneByOne { chain.isExact = false }
        chain.behind = metrics
        return try check(page, &chain, rest, first: first)
    }

    /// Checks a page against the photos after its place, and moves the place on.
    private func check(
        _ page: PageAnswer, _ chain: inout ModelChain, _ rest: [ModelStream.Entry], first: Int
    ) throws -> Bool {
        let configuration = layouts[chain.layout].configuration
        let expected = rest.prefix(page.items.count).compactMap(\.photo)
        if let wrong = difference(page.items.map(\.photo.id.rawValue), expected.map(\.id)) {
            throw Mismatch(description: "a page: \(wrong)")
        }
        for (item, photo) in zip(page.items, expected) {
            if let wrong = photo.difference(from: item.photo) { throw Mismatch(description: wrong) }
        }
        let count = page.items.count
        let whole = min(chain.limit, rest.count)
        try expect(
            count <= chain.limit && (configuration.placesOneByOne ? count == whole : count > 0 || whole == 0),
            "a page of \(count), \(whole) are left")
        try expect((page.nextCursor == nil) == (count == rest.count), "a page's cursor is \(page.nextCursor ?? "none")")
        try expect(
            page.items.map(\.attributes.index) == Array(chain.served.count..<chain.served.count + count),
            "indices from \(page.items.first?.attributes.index ?? -1), not \(chain.served.count)")
        try checkFrames(of: page, &chain, first: first, configuration)
        chain.served += chain.behind.prefix(count)
        chain.behind = Array(chain.behind.dropFirst(count))
        guard let last = expected.last, let cursor = page.nextCursor else { return true }
        chain.cursor = cursor
        stream.setPlace(behind: last.id, ofChain: chain.number)
        self.count("pages")
        return false
    }

    private func checkFrames(
        of page: PageAnswer, _ chain: inout ModelChain, first: Int, _ configuration: LayoutConfiguration
    ) throws {
        guard !page.items.isEmpty else { return }
        let frames = page.items.map(\.attributes.frame)
        let current = NaiveLayout(configuration, items: stream.metrics).frames[first..<first + frames.count]
        try expect(
            page.isInPlace == (frames == Array(current)),
            "the page says that it is \(page.isInPlace ? "" : "not ")in place, \(frames[0]) and "
                + "\(String(describing: current.first))")
        guard !configuration.countsFromEnd else { return }
        if chain.isExact {
            let naive = NaiveLayout(configuration, items: chain.served + chain.behind)
            let expected = naive.frames[chain.served.count..<chain.served.count + frames.count].map { $0 }
            if let wrong = difference(frames, expected.compactMap { $0 }) {
                throw Mismatch(description: "frames \(wrong)")
            }
            count("exact pages")
        } else {
            // A line that is longer than a page goes on in the next one.
            let isHorizontal = configuration.scrollDirection == .horizontal
            let starts = [chain.frames, frames].map { $0.map { isHorizontal ? $0.x : $0.y }.min() ?? 0 }
            try expect(starts[0] <= starts[1], "a page begins at \(starts[1]), the one before at \(starts[0])")
            try expect(
                !chain.frames.contains { old in frames.contains { $0.overlaps(old) } },
                "a page from \(frames[0]) on lies over the one before from \(chain.frames[0]) on")
        }
        chain.frames = frames
    }
}
