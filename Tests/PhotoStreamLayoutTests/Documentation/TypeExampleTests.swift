import PhotoStreamLayout
import PhotoStreamModel
import Testing

/// The examples with which the main types open.
@Suite struct TypeExampleTests {
    private let photos: PackedMetrics
    /// Cells of 100 points, four in a line.
    private let configuration = LayoutConfiguration(
        containerLength: 400, algorithm: .grid(GridParameters(columns: .count(4))))

    init() throws {
        photos = PackedMetrics(sizes: [PixelSize](repeating: try PixelSize(width: 100, height: 100), count: 2_000))
    }

    @Test func `a configuration becomes a key`() throws {
        // shown
        let configuration = LayoutConfiguration(
            containerLength: 1200, displayScale: 2, interitemSpacing: 8, lineSpacing: 8,
            sections: SectionParameters(sectioning: .month, headerReferenceSize: 44),
            algorithm: .justified(JustifiedParameters(targetLineHeight: 300)))
        let key = try LayoutKey(configuration)
        // end
        #expect(key.containerLength == 2_400 && key.sections.headerExtent == 88)
    }

    @Test func `a key has a text`() throws {
        // shown
        let key = try LayoutKey(
            LayoutConfiguration(containerLength: 900, algorithm: .grid(GridParameters(columns: .count(6)))))
        let text = key.description  // grid-4,length=900,scale=1,inset=0:0:0:0,…,cell=150
        let isSame = try LayoutKey(parsing: text) == key
        // end
        #expect(text.hasPrefix("grid-4,length=900,scale=1,inset=0:0:0:0,") && text.hasSuffix(",cell=150"))
        #expect(isSame)
    }

    @Test func `a snapshot answers queries`() throws {
        let sizes = [try PixelSize(width: 100, height: 100), try PixelSize(width: 100, height: 200)]
        // shown
        let key = try LayoutKey(LayoutConfiguration(containerLength: 1200))
        let snapshot = LayoutSnapshot(key, sizes: sizes)
        let visible = try snapshot.attributes(in: Rect(x: 0, y: 0, width: 1200, height: 900))
        // end
        #expect(visible.attributes.map(\.frame.height) == [300, 600])
    }

    @Test func `a function takes any layout`() throws {
        // shown
        func visiblePhotos<Layout: LayoutSource>(
            of layout: Layout, in bounds: PixelRect
        ) throws(Layout.Failure) -> [Int] {
            try layout.items(in: bounds).map(\.index)
        }
        // end
        let layout = LayoutSnapshot(try LayoutKey(configuration), metrics: photos)
        #expect(visiblePhotos(of: layout, in: PixelRect(x: 0, y: 100, width: 150, height: 1)) == [4, 5])
    }

    @Test func `attributes in points`() throws {
        let key = try LayoutKey(
            LayoutConfiguration(
                containerLength: 400, displayScale: 2, captionExtent: 20,
                algorithm: .grid(GridParameters(columns: .count(4)))))
        let layout = LayoutSnapshot(
            key, items: [ItemMetrics(pixelSize: try PixelSize(width: 1, height: 1), hasCaption: true)])
        let attributes = try #require(layout.attributes(forItemAt: 0))
        // shown
        let frame = key.displayScale.points(attributes.frame)  // the view of the cell
        let captionHeight = key.displayScale.points(attributes.captionExtent)  // at its lower edge
        // end
        #expect(frame == Rect(x: 0, y: 0, width: 100, height: 120) && captionHeight == 20)
    }

    @Test func `a mapping returns the new positions of photos`() {
        // shown
        let mapping = ItemMapping([.delete(0..<2), .move(5..<6, to: 0)], itemCount: 10)
        let position = mapping.newIndex(of: 7)  // 0
        let former = mapping.oldIndex(of: 1)  // 2
        let isGone = mapping.newIndex(of: 0) == nil  // true
        // end
        #expect(position == 0 && former == 2 && isGone)
    }

    @Test func `updates between two layouts`() throws {
        let key = try LayoutKey(configuration)
        let (before, newPhotos) = (LayoutSnapshot(key, metrics: photos[0..<20]), photos[0..<4])
        let after = LayoutSnapshot(key, metrics: photos[0..<22])
        let bounds = PixelRect(x: 0, y: 0, width: 400, height: 200)
        // shown
        let mapping = ItemMapping([.insert(newPhotos, at: 0), .delete(7..<9)], itemCount: before.itemCount)
        let updates = LayoutUpdates(from: before, to: after, with: mapping, in: bounds) { update in
            update.initial?.transform = .scale(x: 0.5, y: 0.5)
        }
        // end
        #expect(updates.insertions.count == 4)
        #expect(updates.insertions.allSatisfy { $0.initial?.transform == .scale(x: 0.5, y: 0.5) })
    }

    @Test func `an anchor keeps its photo in place`() throws {
        let layout = LayoutSnapshot(try LayoutKey(configuration), metrics: photos)
        var other = configuration
        other.containerLength = 800
        let wider = LayoutSnapshot(try LayoutKey(other), metrics: photos)
        let visible = PixelRect(x: 0, y: 1_050, width: 400, height: 300)
        // shown
        let anchor = layout.scrollAnchor(in: visible)
        let offset = anchor.flatMap { wider.contentOffset(for: $0, index: $0.index, viewport: visible.height) }
        // end
        #expect(offset == 2_050)
    }

    @Test func `a custom layout`() throws {
        // shown
        let configuration = LayoutConfiguration(
            containerLength: 300, scrollDirection: .horizontal,
            algorithm: .placed(AnyPlacementRule(Carousel(itemExtent: 400))))
        let layout = LayoutSnapshot(try LayoutKey(configuration), metrics: photos)
        // end
        #expect(layout.attributes(forItemAt: 1)?.frame.x == 200)
    }

    @Test func `an engine folds`() throws {
        // shown
        let engine = LayoutEngine(try LayoutKey(configuration))
        let first = engine.place(photos[0..<1_000], from: engine.initialState)
        let second = engine.place(photos[1_000..<2_000], from: first.exitState)
        let ending = engine.close(second.exitState)
        // end
        #expect(first.extents.advance == 25_000 && second.extents.advance == 25_000)
        #expect(ending.extents.placedCount == 0)
        // shown
        var directory = LayoutDirectory(engine)
        for run in [first, second] {
            directory.append(count: 1_000, extents: run.extents, sections: run.sections)
        }
        directory.finish(ending)
        let content = directory.contentSize
        // end
        #expect(content == PixelExtent(width: 400, height: 50_000))
    }

    @Test func `positions are indexed`() throws {
        let photos = PackedMetrics([try SampleClusters.item(38.7223, -9.1393), SampleClusters.item(nil)])
        let engine = LayoutEngine(
            try LayoutKey(
                LayoutConfiguration(containerLength: 400, algorithm: .map(MapParameters(zoom: 2, cluster: 72)))))
        let run = engine.place(photos[0..<2], from: engine.initialState)
        let ending = engine.close(run.exitState)
        var directory = LayoutDirectory(engine)
        directory.append(count: 2, extents: run.extents, sections: run.sections)
        // shown
        let index = PositionIndex.indexing([photos])
        let bounds = index.bounds  // around all positions
        directory.finish(ending, positions: index)
        // end
        #expect(index.locatedCount == 1 && bounds?.west == bounds?.east)
    }

    @Test func `the bounds of photos`() throws {
        let photos = PackedMetrics([try SampleClusters.item(38.7223, -9.1393)])
        let box = try #require(photos.positionSummary.box)
        // shown
        let bounds = GeographicBounds(box)
        let isOnePlace = bounds.west == bounds.east && bounds.south == bounds.north
        // end
        #expect(isOnePlace && abs(bounds.south - 38.7223) < 1e-6)
    }

    @Test func `a page and its cursor`() throws {
        let engine = LayoutEngine(try LayoutKey(configuration))
        // shown
        let cursor = engine.firstCursor(contentExtent: 0)
        let page = engine.page(after: cursor, photos[0..<101], isEnd: false, limit: 100)
        let frames = page?.items.map(\.frame) ?? []
        let next = page?.next
        // end
        #expect(frames.count == 100 && frames.last == PixelRect(x: 300, y: 2_400, width: 100, height: 100))
        let nextCursor = try #require(next)
        // shown
        let bytes = nextCursor.encoded  // to the client, and back
        let resumed = try engine.cursor(decoding: bytes)
        let items = photos[resumed.index..<resumed.index + 101]
        let nextPage = engine.page(after: resumed, items, isEnd: false, limit: 100)
        // end
        #expect(nextPage?.items.first?.frame == PixelRect(x: 0, y: 2_500, width: 100, height: 100))
    }

    @Test func `sizes and metrics`() throws {
        // shown
        let encoded = try PixelSize(width: 4000, height: 3000)
        let displayed = encoded.applying(.right)  // 3000x4000
        // end
        #expect(displayed.description == "3000x4000")
        let sizes = [encoded, displayed]
        // shown
        var photos = PackedMetrics(sizes: sizes)
        photos.append(ItemMetrics(pixelSize: try PixelSize(width: 1920, height: 1080), hasCaption: true))
        let isWide = photos[2].pixelSize.width > photos[2].pixelSize.height
        let rest = photos[1..<photos.count]  // shares the memory of `photos`
        // end
        #expect(isWide && rest.count == 2)
    }

    @Test func `capture times`() throws {
        // shown
        let time = try CaptureTime(milliseconds: 1_795_246_733_000, utcOffsetMinutes: 60, precision: .second)
        let text = time.description  // 2026-11-21T08:38:53+01:00
        let year = try CaptureTime(milliseconds: -2_398_291_200_000, utcOffsetMinutes: nil, precision: .year)
        let digits = year.description  // 1894
        // end
        #expect(text == "2026-11-21T08:38:53+01:00" && digits == "1894")
    }

    @Test func `records create and change photos`() throws {
        // shown
        var record = PhotoRecord(id: try PhotoID("harbour.jpg"))
        record.size = .set(PhotoRecord.EncodedSize(try PixelSize(width: 4000, height: 3000)))
        record.caption = .set("The harbour")
        let photo = Photo.applying(record, to: nil, by: .importer)
        // end
        #expect(photo.caption == "The harbour" && photo.pixelSize.description == "4000x3000")
        // shown
        var edit = PhotoRecord(id: photo.id)
        edit.caption = .clear
        let edited = Photo.applying(edit, to: photo, by: .person)
        let isProtected = edited.editedFields.contains(.text(.caption))  // imports leave the caption alone
        // end
        #expect(edited.caption == nil && isProtected)
        #expect(Photo.applying(record, to: edited, by: .importer).caption == nil)
    }

    @Test func `a condition has a canonical text`() throws {
        // shown
        let condition = try Condition(parsing: "beach rating:>=4 (camera:iphone OR tag:\"New York\") -is:edited")
        let text = condition.canonicalText  // beach rating:4.. (camera:iphone OR tag:"new york") -is:edited
        // end
        #expect(text == "beach rating:4.. (camera:iphone OR tag:\"new york\") -is:edited")
    }

    @Test func `the error of a condition names the column`() {
        // shown
        do { _ = try Condition(parsing: "sunset tga:beach") } catch { print(error) }
        // Column 8: "tga:" is not a qualifier. Expected a qualifier such as tag:, or quotation marks around the words.
        // Did you mean "tag:"?
        // end
        let error = #expect(throws: ConditionError.self) { try Condition(parsing: "sunset tga:beach") }
        #expect(error?.column == 8 && error?.suggestion == "tag:")
    }
}

/// Photos each of which covers half of the one before it.
private struct Carousel: PlacementRule {
    var itemExtent: Int64
    var name: String { "carousel:\(itemExtent)" }

    func initialRest(in space: LayoutSpace) -> [UInt8] { [] }

    func place(_ items: PackedMetrics, from rest: [UInt8], in space: LayoutSpace) -> RulePlacement {
        let frames = (0..<Int64(items.count)).map {
            AxisFrame(along: $0 * itemExtent / 2, across: 0, alongExtent: itemExtent, acrossExtent: space.length)
        }
        return RulePlacement(frames: frames, shift: Int64(items.count) * itemExtent / 2, rest: [])
    }

    func end(behind rest: [UInt8], in space: LayoutSpace) -> Int64 { itemExtent / 2 }
}
