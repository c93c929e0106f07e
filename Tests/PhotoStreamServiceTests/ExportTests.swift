import Foundation
import PhotoStreamImport
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamTestSupport
import PhotoStreamWire
import Testing

/// An export, imported into another file, gives the same stream: another export is identical to the byte.
@Suite struct ExportTests {
    private static func id(_ text: String) -> PhotoID { PhotoID(stored: text) }

    /// A file with a stream, and the random actions of a person and of imports.
    private struct World {
        let gallery: Gallery
        let order: StreamOrder
        var random: SplitMix64
        var lastID = 0

        private mutating func time() -> String? {
            let year = random.int(in: 1_900...1_903)
            let (month, day) = (random.int(in: 10...11), random.int(in: 10...12))
            return switch random.int(in: 0...9) {
            case 0, 1: nil
            case 2: "\(year)"
            case 3: "\(year)-\(month)"
            case 4: "\(year)-\(month)-\(day)"
            case 5: "\(year)-\(month)-\(day)T08:38"
            case 6: "\(year)-\(month)-\(day)T08:38:53Z"
            case 7: "\(year)-\(month)-\(day)T08:38:53.123-05:30"
            default: "\(year)-01-01T00:00:00+\(random.element(of: ["00:00", "01:00", "14:00"]))"
            }
        }

        private mutating func members() -> [String] {
            var members: [String] = []
            switch random.int(in: 0...5) {
            case 0: members.append(#""width":3.5,"height":2"#)
            case 1: break
            default: members.append("\"width\":\(random.int(in: 1...4_000)),\"height\":\(random.int(in: 500...900))")
            }
            if random.oneIn(3) { members.append("\"orientation\":\(random.int(in: 1...8))") }
            if let time = time() { members.append("\"takenAt\":\"\(time)\"") }
            let words = ["a\\\\b \\u00e9", "Straße 東京", "x\\ny", "edited\\\" movedTo\\\"", "🎈"]
            for name in ["caption", "alt", "location", "contentHash", "placeholder"] where random.oneIn(3) {
                let word = random.element(of: words)
                members.append("\"\(name)\":\"\(word) \(random.int(in: 0...99))\"")
            }
            if random.oneIn(3) { members.append(#""tags":["one","two, three","\#(random.int(in: 0...9))"]"#) }
            if random.oneIn(3) {
                members.append(
                    "\"latitude\":\(Double(random.int(in: -8_999_999...8_999_999)) / 100_000),\"longitude\":0.1")
            }
            if random.oneIn(3) { members.append("\"color\":\"#0a\(random.int(in: 10...99))ff\"") }
            return members
        }

        /// A person's edit of random fields, some of which it clears.
        private mutating func edit() throws -> PhotoRecord {
            var record = PhotoRecord(id: PhotoID(stored: "x"))
            func change<Value>(_ value: Value, _ random: inout SplitMix64) -> FieldChange<Value> {
                random.oneIn(3) ? .set(value) : random.oneIn(4) ? .clear : .keep
            }
            record.size = change(
                PhotoRecord.EncodedSize(try PixelSize(width: random.int(in: 1...900), height: 500)), &random)
            record.orientation = change(.right, &random)
            record.takenAt = change(
                try CaptureTime(milliseconds: -2_000_000_000_000, utcOffsetMinutes: 60, precision: .second), &random)
            for text in PhotoText.allCases { record[text] = change("Mine \(random.int(in: 0...99))", &random) }
            for number in PhotoNumber.allCases { record[number] = change(random.int(in: number.range), &random) }
            record.tags = change(["mine"], &random)
            record.coordinate = change(try Coordinate(latitude: 1.5, longitude: -2.25), &random)
            record.color = change(RGBColor(rawValue: 0x01_02_03), &random)
            return record
        }

        mutating func load(_ count: Int) async throws {
            var lines: [String] = []
            for _ in 0..<count {
                lastID += 1
                let id = random.oneIn(8) ? random.int(in: 1...lastID) : lastID
                lines.append("{" + (["\"id\":\"p\(id)\""] + members()).joined(separator: ",") + "}")
            }
            _ = try await ExportTests.load(lines.joined(separator: "\n"), into: gallery.service)
        }

        mutating func act() async throws {
            let (service, stream) = (gallery.service, Gallery.stream)
            let ids = try gallery.photos().map(\.id)
            func any() -> PhotoID { random.element(of: ids) }
            switch random.int(in: 0...11) {
            case 0: try await load(random.int(in: 1...20))
            case 1:
                try service.deletePhotos([any()], from: stream)
            case 2, 3, 4:
                var record = try edit()
                record.id = any()
                try service.edit(record, in: stream)
            case 5: try service.resetEdits(of: [any()], fields: [.text(.caption), .takenAt], in: stream)
            case 6 where order != .manual: try service.resetMoves(of: [any()], in: stream)
            case 7:
                // Enough into one gap that ranks are spread.
                let other = any()
                for _ in 0..<24 {
                    let id = any()
                    if id != other { try service.movePhoto(id, to: .after(other), in: stream) }
                }
            default:
                let (id, other) = (any(), any())
                guard id != other else { return }
                try service.movePhoto(id, to: random.oneIn(2) ? .before(other) : .after(other), in: stream)
            }
        }
    }

    static func load(
        _ text: String, into service: PhotoStreamService, stream: StreamName = Gallery.stream, order: StreamOrder? = nil
    ) async throws -> ImportTotals {
        let file = FileManager.default.temporaryDirectory.appending(path: "export-\(UUID()).jsonl").path
        try Data(text.utf8).write(to: URL(filePath: file))
        defer { try? FileManager.default.removeItem(atPath: file) }
        return try await PhotoImport([file], into: stream, order: order, of: service).run { progress in
            #expect(progress.rejects == [] && progress.warnings == [])
        }
    }

    private static func export(_ service: PhotoStreamService, _ stream: StreamName = Gallery.stream) throws -> String {
        var bytes: [UInt8] = []
        try service.read { session in
            try session.export(of: stream) { line in
                bytes += JSONWriter.bytes { $0.value(line) } + [UInt8(ascii: "\n")]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// All items of a stream with their frames, without the file's identity.
    private static func items(_ service: PhotoStreamService, _ sectioning: Sectioning) throws -> [String] {
        let key = try LayoutKey(
            LayoutConfiguration(
                containerLength: 700, sections: SectionParameters(sectioning: sectioning, headerReferenceSize: 20)))
        return try service.read { session in
            let layout = try session.layout(key, of: Gallery.stream).summary()
            return layout.sections.map { "\($0.id) \($0.count)" }
                + (try session.layout(key, of: Gallery.stream).page(limit: 1_000)).items.map {
                    "\($0.photo) \($0.attributes)"
                }
        }
    }

    @Test(arguments: StreamOrder.allCases, [1, 2, 3, 4, 5, 6] as [UInt64])
    func `an export of any stream is imported identically`(order: StreamOrder, seed: UInt64) async throws {
        var world = World(
            gallery: try Gallery(order: order), order: order,
            random: SplitMix64(seed: seed * 977 + UInt64(order.stored)))
        try await world.load(180)
        for step in 0..<60 {
            try await world.act()
            guard step % 20 == 19 else { continue }
            let (service, copy) = (world.gallery.service, try TemporaryDatabase())
            let export = try Self.export(service)
            let count = try world.gallery.photos().count
            let other = try PhotoStreamService(path: copy.path, access: .readWrite, primary: copy.primary) { 1 }
            let totals = try await Self.load(export, into: other)
            #expect(totals.inserted == count && totals.read == count)
            #expect(try other.read { try $0.stream(Gallery.stream).order } == order)
            let again = try Self.export(other)
            let differences = difference(
                again.split(separator: "\n").map(String.init), export.split(separator: "\n").map(String.init))
            #expect(again == export, "\(differences ?? "")")
            for sectioning in [Sectioning.none, .day, .year] {
                #expect(try Self.items(other, sectioning) == Self.items(service, sectioning))
            }
            // An import of it again changes nothing, neither there nor here.
            let revision = try service.read { try $0.stream(Gallery.stream).revision }
            for service in [other, service] {
                let repeated = try await Self.load(export, into: service)
                #expect(repeated.unchanged == count, "\(repeated)")
            }
            #expect(try service.read { try $0.stream(Gallery.stream).revision } == revision)
            #expect(try other.verifyDerived().differences == [])
            try other.close()
        }
    }

    @Test func `a person's edits remain a person's`() async throws {
        let gallery = try Gallery()
        _ = try await Self.load(#"{"id":"a","width":3,"height":2,"caption":"One","alt":"A"}"#, into: gallery.service)
        var edit = PhotoRecord(id: Self.id("a"))
        (edit.caption, edit.alt) = (.set("Mine"), .clear)
        try gallery.service.edit(edit, in: Gallery.stream)
        let export = try Self.export(gallery.service)
        #expect(
            export == """
                {"photostreamExport":1,"order":"newest"}
                {"id":"a","width":3,"height":2,"caption":"Mine","captionSource":"person","metrics":"measured",\
                "edited":["caption","alt"]}

                """)
        let other = try Gallery()
        func photo() throws -> Photo { try other.service.read { try $0.photo(Self.id("a"), of: Gallery.stream) } }
        // A photo that already exists: the edits of the export replace imported values and older edits.
        _ = try await Self.load(
            #"{"id":"a","width":9,"height":9,"caption":"Two","alt":"B","tags":["t"]}"#, into: other.service)
        edit.caption = .set("Older")
        edit.alt = .keep
        edit.tags = .set(["kept"])
        try other.service.edit(edit, in: Gallery.stream)
        #expect(try await Self.load(export, into: other.service).updated == 1)
        #expect(try photo().caption == "Mine" && photo().captionSource == .person && photo().alt == nil)
        #expect(try photo().tags == ["kept"] && photo().editedFields == [.text(.caption), .text(.alt), .list(.tags)])
        #expect(try photo().pixelSize == PixelSize(width: 3, height: 2))
        // A later import does not replace them.
        _ = try await Self.load(#"{"id":"a","caption":"Three","alt":"C","width":5,"height":5}"#, into: other.service)
        #expect(try photo().caption == "Mine" && photo().alt == nil)
    }

    @Test func `another order keeps the edits but not the moves`() async throws {
        let gallery = try Gallery()
        let lines = (1...6).map { #"{"id":"p\#($0)","width":3,"height":2,"takenAt":"200\#($0)"}"# }
        _ = try await Self.load(lines.joined(separator: "\n"), into: gallery.service)
        try gallery.service.movePhoto(Self.id("p1"), to: .before(Self.id("p6")), in: Gallery.stream)
        let export = try Self.export(gallery.service)
        #expect(export.contains(#""movedTo":"2006""#))
        for (order, expected) in [
            (StreamOrder.newest, ["p1", "p6", "p5", "p4", "p3", "p2"]),
            (.oldest, ["p1", "p2", "p3", "p4", "p5", "p6"]),
            (.manual, ["p1", "p6", "p5", "p4", "p3", "p2"]),
        ] {
            let stream = StreamName(stored: order.rawValue)
            _ = try await Self.load(export, into: gallery.service, stream: stream, order: order)
            let found = try gallery.service.read { try $0.photos(of: stream) }.photos.map(\.id.rawValue)
            #expect(found == expected, "\(order)")
        }
    }

    @Test func `without the first line, an import ignores members that are not fields`() async throws {
        let gallery = try Gallery()
        let record =
            #"{"id":"a","width":3,"height":2,"takenAt":"2001","caption":"One","edited":["caption"],"movedTo":"1900"}"#
        _ = try await Self.load(record, into: gallery.service)
        let photo = try gallery.service.read { try $0.photo(Self.id("a"), of: Gallery.stream) }
        #expect(photo.editedFields.isEmpty && photo.captionSource == .imported)
        #expect(try !Self.export(gallery.service).contains("movedTo"))
    }

    @Test func `an export of an empty stream creates an empty stream with its order`() async throws {
        let gallery = try Gallery(order: .oldest)
        let export = try Self.export(gallery.service)
        #expect(export == "{\"photostreamExport\":1,\"order\":\"oldest\"}\n")
        let stream = StreamName(stored: "empty")
        _ = try await Self.load(export, into: gallery.service, stream: stream)
        #expect(try Self.export(gallery.service, stream) == export)
    }

    @Test(arguments: [
        (#""edited":"caption""#, "edited is not a list of fields"),
        (#""edited":[1]"#, "edited is not a list of fields"),
        (#""edited":["colour"]"#, "edited: there is no field \"colour\"; the fields are size, "),
        (#""movedTo":"some day""#, "movedTo is \"some day\", not a date"),
        (#""movedTo":null"#, "movedTo is not a date, nor \"undated\""),
        (#""edited":[],"edited":[]"#, "the member \"edited\" is given more than once"),
    ])
    func `an invalid state rejects the record with the reason`(member: String, reason: String) async throws {
        let gallery = try Gallery()
        let file = gallery.temporary.folder + "/bad.jsonl"
        let text = """
            {"photostreamExport":1,"order":"newest"}
            {"id":"good","width":3,"height":2}
            {"id":"bad","width":3,"height":2,\(member)}
            """
        try Data(text.utf8).write(to: URL(filePath: file))
        var rejects: [ImportReject] = []
        let totals = try await PhotoImport([file], into: Gallery.stream, of: gallery.service).run {
            rejects += $0.rejects
        }
        #expect(totals.read == 2 && totals.inserted == 1 && totals.rejected == 1)
        #expect(rejects.first?.reason.hasPrefix(reason) == true && rejects.first?.position.line == 3, "\(rejects)")
    }

    /// Imports a source, and returns its numbers and its rejects as `line: reason`.
    private static func progress(
        of text: String, into service: PhotoStreamService, stream: StreamName = Gallery.stream,
        order: StreamOrder? = nil, isDryRun: Bool = false
    ) async throws -> (last: (totals: ImportTotals, ignoredMoveCount: Int), rejects: [String]) {
        let folder = try TemporaryDatabase()
        let file = folder.folder + "/source.jsonl"
        try Data(text.utf8).write(to: URL(filePath: file))
        let run =
            isDryRun
            ? PhotoImport(
                try RecordReader(paths: [file], options: ImportOptions()), into: stream, order: order, sources: [],
                of: service, isDryRun: true)
            : try PhotoImport([file], into: stream, order: order, of: service)
        var (ignoredMoveCount, rejects) = (0, [String]())
        let totals = try await run.run { progress in
            ignoredMoveCount = progress.ignoredMoveCount
            rejects += progress.rejects.map { "\($0.position.line): \($0.reason)" }
        }
        return ((totals, ignoredMoveCount), rejects)
    }

    private static let record =
        #"{"id":"a","width":3,"height":2,"takenAt":"2001","caption":"Mine","edited":["caption"],"movedTo":"1900"}"#

    @Test(arguments: [
        #"{ "photostreamExport" : 1, "order" : "newest" }"#, #"{"order":"newest","photostreamExport":1}"#,
        "\n \n\t{\"photostreamExport\":1,\"order\":\"newest\",\"more\":{\"x\":[1]}}",
        "{\"photostreamExport\":1.0,\"order\":\"newest\"}\r",
    ])
    func `the first record is recognized as the header in any spelling`(header: String) async throws {
        let gallery = try Gallery()
        let (last, rejects) = try await Self.progress(of: header + "\n" + Self.record, into: gallery.service)
        #expect(rejects == [] && last.totals.read == 1 && last.totals.inserted == 1, "\(rejects)")
        let export = try Self.export(gallery.service)
        #expect(export.contains(#""edited":["caption"]"#) && export.contains(#""movedTo":"1900""#), "\(export)")
    }

    @Test func `a photo that mentions the name of the header is a photo`() async throws {
        let gallery = try Gallery()
        let photo = #"{"caption":"photostreamExport","id":"b","width":3,"height":2,"x":{"photostreamExport":1}}"#
        let (last, rejects) = try await Self.progress(of: photo + "\n" + Self.record, into: gallery.service)
        #expect(rejects == [] && last.totals.inserted == 2, "\(rejects)")
        #expect(try !Self.export(gallery.service).contains("edited"))
    }

    @Test(arguments: StreamOrder.allCases, [true, false])
    func `another header is rejected, and later moves are in its order`(
        second: StreamOrder, followsExport: Bool
    ) async throws {
        let gallery = try Gallery()
        let text = """
            \(followsExport ? #"{"photostreamExport":1,"order":"newest"}"# : "")
            {"id":"b","width":3,"height":2}
            {"photostreamExport":1,"order":"\(second.rawValue)"}
            \(Self.record)
            """
        let (last, rejects) = try await Self.progress(of: text, into: gallery.service)
        #expect(
            rejects == ["3: this is the first line of an export, but not of its source; import the files separately"])
        #expect(last.totals.inserted == 2 && last.totals.rejected == 1)
        #expect(last.ignoredMoveCount == (second == .newest ? 0 : 1))
        let export = try Self.export(gallery.service)
        #expect(export.contains("movedTo") == (second == .newest) && export.contains(#""edited":["caption"]"#))
    }

    @Test func `no move counts after another header of another version`() async throws {
        let gallery = try Gallery()
        let text = """
            {"photostreamExport":1,"order":"newest"}
            {"photostreamExport":2,"order":"newest"}
            \(Self.record)
            """
        let (last, rejects) = try await Self.progress(of: text, into: gallery.service)
        #expect(rejects.count == 1 && last.totals.inserted == 1)
        #expect(try !Self.export(gallery.service).contains("movedTo"))
    }

    @Test(arguments: [(StreamOrder.newest, 0), (.oldest, 1), (.manual, 0)], [true, false])
    func `moves lost by another order are counted`(expected: (order: StreamOrder, count: Int), isDryRun: Bool)
        async throws
    {
        let gallery = try Gallery()
        let export = """
            {"photostreamExport":1,"order":"newest"}
            {"id":"b","width":3,"height":2}
            \(Self.record)
            \(Self.record)
            """
        let stream = StreamName(stored: "new")
        let (last, rejects) = try await Self.progress(
            of: export, into: gallery.service, stream: stream, order: expected.order, isDryRun: isDryRun)
        #expect(rejects == [] && last.totals.inserted == 2 && last.totals.duplicate == 1)
        #expect(last.ignoredMoveCount == expected.count)
        guard !isDryRun else { return }
        // A photo that is there keeps its place, which loses no move.
        let again = try await Self.progress(of: export, into: gallery.service, stream: stream)
        #expect(again.last.ignoredMoveCount == 0 && again.last.totals.unchanged == 2)
    }

    @Test(arguments: [
        (#"{"photostreamExport":2,"order":"newest"}"#, "an export in another format than 1"),
        (#"{"photostreamExport":1,"order":"random"}"#, "names no order; it must be one of newest, oldest, manual"),
        (#"{"photostreamExport":1}"#, "names no order"),
        (#"{"photostreamExport":"#, "begins like that of an export, but is not a JSON object"),
    ])
    func `an invalid first line is an error of the source`(line: String, reason: String) async throws {
        let gallery = try Gallery()
        let file = gallery.temporary.folder + "/bad.jsonl"
        try Data((line + "\n{\"id\":\"a\",\"width\":3,\"height\":2}\n").utf8).write(to: URL(filePath: file))
        let error = #expect(throws: ImportError.self) {
            _ = try PhotoImport([file], into: Gallery.stream, of: gallery.service)
        }
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    }
}
