import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamTestSupport

// What every answer must be: the model's photos, laid out by the naive reference.
extension ModelWorld {
    /// Checks the order of the photos and their stored values.
    func checkPhotos() throws {
        let (service, expected) = (anyone(), stream.photos)
        var found: [Photo] = []
        while true {
            let answer = try service.read { try $0.photos(of: Gallery.stream, after: found.last?.id, limit: 1_000) }
            found += answer.photos
            guard answer.isTruncated else { break }
        }
        if let wrong = difference(found.map(\.id.rawValue), expected.map(\.id)) {
            throw Mismatch(description: "the order: \(wrong)")
        }
        for (photo, model) in zip(found, expected) {
            if let wrong = model.difference(from: photo) { throw Mismatch(description: "a photo: \(wrong)") }
        }
    }

    /// Checks some layouts, each with one of the holders.
    func checkLayouts(_ number: Int) throws {
        var left = layouts
        left.shuffle(using: &random)
        for layout in left.prefix(number) {
            let service = anyone()
            try check(layout, service)
            if random.oneIn(2) { try service.storeDerived() }
        }
    }

    /// Checks that stored data equal a computation from scratch, and are within their budget.
    func checkStored() throws {
        let answer = try anyone().verifyDerived()
        try expect(answer.differences.isEmpty, "stored: \(answer.differences.first ?? "")")
        let status = try anyone().cacheStatus()
        try expect(status.byteCount <= status.budget, "\(status.byteCount) bytes are kept of \(status.budget)")
        count("verified")
    }

    private func check(_ layout: Layout, _ service: PhotoStreamService) throws {
        let naive = NaiveLayout(layout.configuration, items: stream.metrics)
        do {
            try checkSummary(layout, naive, service)
            for _ in 0..<2 { try checkRect(layout, naive, service) }
            for _ in 0..<3 where !stream.photos.isEmpty { try checkItem(layout, naive, service) }
        } catch let mismatch as Mismatch {
            let holder = holders.firstIndex { $0.service === service } ?? -1
            throw Mismatch(description: "\(layout.key), holder \(holder): \(mismatch)")
        }
    }

    private func checkSummary(_ layout: Layout, _ naive: NaiveLayout, _ service: PhotoStreamService) throws {
        let answer = try service.read { try $0.layout(layout.key, of: Gallery.stream).summary() }
        let size = answer.context.contentSize
        try expect(size == naive.contentSize, "the content is \(size), not \(naive.contentSize)")
        try expect(answer.count == stream.photos.count, "\(answer.count) photos")
        guard !stream.photos.isEmpty else { return }
        try expect(answer.sections.count == naive.sections.count, "\(answer.sections.count) sections")
        for (section, expected) in zip(answer.sections, naive.sections) {
            let items = section.firstIndex..<section.firstIndex + section.count
            let isHorizontal = layout.configuration.scrollDirection == .horizontal
            let extent = isHorizontal ? section.frame.width : section.frame.height
            try expect(
                items == expected.items && extent == expected.end - expected.origin,
                "section \(section.section) is \(section), not \(expected)")
        }
        count("summaries")
    }

    private func checkRect(_ layout: Layout, _ naive: NaiveLayout, _ service: PhotoStreamService) throws {
        let rect = rect(in: naive.contentSize, scale: layout.configuration.displayScale)
        let expected = inOrderOfAnswer(naive.indices(meeting: rect), layout)
        let limit = random.element(of: [1, 7, 100, 1_000])
        var answer = try service.read {
            try $0.layout(layout.key, of: Gallery.stream).rect(.first(in: rect), limit: limit)
        }
        var found = answer.items
        // A few answers are enough of one that is cut into hundreds.
        for _ in 0..<12 {
            guard let cursor = answer.nextCursor else { break }
            answer = try anyone().read {
                try $0.layout(of: Gallery.stream, after: cursor).rect(.after(cursor), limit: limit)
            }
            found += answer.items
        }
        let isWhole = answer.nextCursor == nil
        let indices = found.map(\.attributes.index)
        if let wrong = difference(indices, isWhole ? expected : Array(expected.prefix(found.count))) {
            throw Mismatch(description: "\(rect) by \(limit): \(wrong)")
        }
        for item in found { try checkPlaced(item, naive) }
        if !found.isEmpty { count("rects") }
    }

    /// A map is answered section by section: photos with a position, then those without one.
    private func inOrderOfAnswer(_ indices: [Int], _ layout: Layout) -> [Int] {
        guard case .map = layout.configuration.algorithm else { return indices }
        let items = stream.metrics
        return indices.filter { items[$0].position != nil } + indices.filter { items[$0].position == nil }
    }

    private func checkItem(_ layout: Layout, _ naive: NaiveLayout, _ service: PhotoStreamService) throws {
        let index = random.int(in: 0...stream.photos.count - 1)
        let item = try service.read { try $0.layout(layout.key, of: Gallery.stream).item(at: index) }.item
        try expect(item.attributes.index == index, "item \(index) is \(item.attributes.index)")
        try checkPlaced(item, naive)
        let id = try PhotoID(stream.photos[index].id)
        let located = try service.read { try $0.layout(layout.key, of: Gallery.stream).locate(id) }.item
        try expect(located == item, "\(id) is located at \(located.attributes), not at \(item.attributes)")
        count("items")
    }

    /// A photo in an answer equals the model's, at the position in the reference.
    private func checkPlaced(_ item: PlacedPhoto, _ naive: NaiveLayout) throws {
        let index = item.attributes.index
        if let wrong = stream.photos[index].difference(from: item.photo) {
            throw Mismatch(description: "at \(index): \(wrong)")
        }
        let (frame, caption) = (item.attributes.frame, item.attributes.captionExtent)
        try expect(
            frame == naive.frames[index] && caption == naive.captionExtents[index],
            "photo \(index) is at \(frame), caption \(caption), not at \(String(describing: naive.frames[index])), "
                + "\(naive.captionExtents[index])")
    }

    /// A rectangle somewhere in the content, in points, of any size.
    func rect(in content: PixelExtent, scale: Double) -> Rect {
        let (width, height) = (Int(Double(content.width) / scale), Int(Double(content.height) / scale))
        let (x, y) = (random.int(in: 0...max(width, 1)), random.int(in: 0...max(height, 1)))
        let extent = random.element(of: [1, 300, 1_500, 40_000])
        return Rect(
            x: Double(max(0, x - extent / 2)), y: Double(max(0, y - extent / 2)),
            width: Double(random.int(in: 1...extent)), height: Double(random.int(in: 1...extent)))
    }
}
