import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamStorage
import PhotoStreamTestSupport
import PhotoStreamWire
import Testing

/// A page is the same from the photos' rows and from memory.
@Suite struct PackedPageTests {
    /// Photos with every field there is, some with few and some with all.
    private func gallery(_ random: inout SplitMix64) throws -> Gallery {
        let gallery = try Gallery()
        try gallery.insert(150, using: &random)
        let database = try PhotoDatabase(path: gallery.temporary.path, access: .existing)
        let texts = ["\"quoted\"\\\n", "Über", "x\u{1}y", String(repeating: "long ", count: 80)]
        try database.write { writer in
            let streamID = try #require(try writer.reader.stream(named: Gallery.stream)).id
            for number in 1...120 {
                var record = PhotoRecord(id: PhotoID(stored: "photo-\(number)"))
                func text() -> FieldChange<String> { random.oneIn(2) ? .keep : .set(random.element(of: texts)) }
                for item in PhotoText.allCases { record[item] = text() }
                for item in PhotoNumber.allCases {
                    record[item] = random.oneIn(2) ? .keep : .set(random.int(in: item.range))
                }
                if random.oneIn(2) { record.tags = .set((0...random.int(in: 0...3)).map { texts[$0] }) }
                if random.oneIn(2) { record.color = .set(RGBColor(rawValue: UInt32(random.int(in: 0...0xFF_FFFF)))) }
                if random.oneIn(2) { record.orientation = .set(random.element(of: Orientation.allCases)) }
                if random.oneIn(2) {
                    record.takenAt = .set(
                        try CaptureTime(
                            milliseconds: Int64(random.int(in: -90_000_000...90_000_000)) * 1_000,
                            utcOffsetMinutes: random.element(of: [nil, 0, -90, 600]),
                            precision: random.element(of: [.year, .month, .day, .minute, .second, .millisecond])))
                }
                _ = try writer.edit(streamID: streamID, record: record)
            }
        }
        try database.close()
        return gallery
    }

    private func json(_ page: PageAnswer, _ fields: ItemFields) -> String {
        var writer = JSONWriter()
        writer.value(page, fields: fields)
        return writer.text
    }

    @Test(.withoutPrimary, arguments: SampleLayouts.configurations.indices)
    func `both encoders write the same bytes for any fields`(layout: Int) throws {
        var random = SplitMix64(seed: UInt64(layout))
        let gallery = try gallery(&random)
        let key = try LayoutKey(SampleLayouts.configurations[layout])
        let (folding, knowing) = (try gallery.anotherService(), try gallery.anotherService())
        _ = try knowing.read { try $0.layout(key, of: Gallery.stream).summary() }
        var cursor: String?
        repeat {
            func page(_ service: PhotoStreamService) throws -> PageAnswer {
                guard let cursor else {
                    return try service.read { try $0.layout(key, of: Gallery.stream).page(limit: 70) }
                }
                return try service.read {
                    try $0.layout(of: Gallery.stream, after: cursor).page(.after(cursor), limit: 70)
                }
            }
            // The second time the rows are in memory.
            let pages = [try page(folding), try page(knowing), try page(knowing)]
            #expect(pages[0].items.map(\.photo) == pages[2].items.map(\.photo))
            let choices =
                ItemField.allCases.map { ItemFields([$0]) } + [.all, ItemFields([])]
                + (0..<4).map { _ in ItemFields(rawValue: UInt64(random.int(in: 0...Int(ItemFields.all.rawValue)))) }
            for fields in choices {
                let texts = pages.map { json($0, fields) }
                #expect(texts[0] == texts[1] && texts[0] == texts[2])
            }
            cursor = pages[0].nextCursor
        } while cursor != nil
        for photo in try gallery.photos().prefix(20) {
            let item = try knowing.read { try $0.layout(key, of: Gallery.stream).locate(photo.id) }.item
            #expect(item.photo == photo)
        }
    }
}
