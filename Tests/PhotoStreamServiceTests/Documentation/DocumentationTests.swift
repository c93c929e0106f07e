import Foundation
import PhotoStreamImport
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamTestSupport
import Testing

/// The catalog of the library, and the examples of its types.
@Suite struct DocumentationTests {
    /// The types that a program creates or calls, or whose values it takes apart.
    static let mainTypes: Set<String> = [
        "PhotoStreamService", "Session", "SessionLayout", "PhotoImport", "PageAnswer", "ChangesOrReload",
        "UpdatesAnswer",
        "ImportOptions", "FieldMapping", "PictureMaker", "Doctor",
    ]

    @Test func `every example is tested, and every tested example is shown`() throws {
        let library = try DocumentedLibrary("PhotoStreamService", with: ["PhotoStreamImport"])
        #expect(library.shown.count > 15)
        #expect(library.differences == [], "\(library.differences.joined(separator: "\n\n"))")
    }

    @Test func `each main type opens with an example`() throws {
        let library = try DocumentedLibrary("PhotoStreamService", with: ["PhotoStreamImport"])
        #expect(library.typesWithExamples == Self.mainTypes)
    }

    @Test func `the landing page lists every public type once`() throws {
        let library = try DocumentedLibrary("PhotoStreamService")
        #expect(library.types.count > 40)
        #expect(
            library.topics.sorted() == library.types.sorted(),
            "\(Set(library.types).symmetricDifference(library.topics))")
    }

    @Test func `an examination of a missing file`() throws {
        // shown
        for finding in Doctor(path: "photos.sqlite").findings() where finding.state != .good {
            print(finding.subject.rawValue, finding.text, finding.advice ?? "")
        }
        // end
        #expect(Doctor(path: "photos.sqlite").findings().first?.state == .problem)
    }

    @Test func `an import, then queries of one state`() async throws {
        let sample = try SampleService()
        let (path, source) = (sample.path, sample.source)
        // shown
        let service = try PhotoStreamService(path: path, access: .readWrite) { Int64(time(nil)) * 1_000 }
        let holidays = try StreamName("holidays")
        let totals = try await PhotoImport([source], into: holidays, of: service).run()
        let key = try LayoutKey(LayoutConfiguration(containerLength: 1200))
        let (summary, page) = try service.read { session in
            let layout = try session.layout(key, of: holidays)
            return (try layout.summary(), try layout.page())
        }
        // end
        #expect(totals.inserted == 200 && summary.count == 200)
        // Four columns of 300.
        #expect(summary.context.contentSize == PixelExtent(width: 1_200, height: 15_000))
        #expect(page.items.count == 100 && page.items[0].id.rawValue == "photo-1")
        #expect(page.context.revision == summary.context.revision)
        try service.close()
    }

    @Test func `the examples of the service and its session`() async throws {
        let sample = try SampleService()
        let (path, stream, key) = (sample.path, sample.stream, sample.key)
        try await sample.opened().close()
        // shown
        let service = try PhotoStreamService(path: path, access: .existing) { Int64(time(nil)) * 1_000 }
        let (summary, page) = try service.read { session in
            let layout = try session.layout(key, of: stream)
            return (try layout.summary(), try layout.page())
        }
        try service.storeDerived()
        // end
        #expect(summary.count == 200 && page.items.count == 100)
        // shown
        let (size, first) = try service.read { session in
            let layout = try session.layout(key, of: stream)
            return (try layout.summary().context.contentSize, try layout.page(limit: 50))
        }
        // end
        #expect(size == summary.context.contentSize && first.items[...] == page.items.prefix(50))
        // shown
        let count = try service.read { session in try session.layout(key, of: stream).summary().count }
        // end
        #expect(count == 200)
        let revision = Revision(0)
        // shown
        let (state, changes) = try service.read { session in
            (try session.state(of: stream), try session.changes(of: stream, since: revision))
        }
        // end
        guard case .changes(let answer) = changes else { throw UnexpectedReload() }
        #expect(answer.changes.count == 200 && answer.revision == state.revision)
        try service.close()
    }

    @Test func `the example of thumbnails`() async throws {
        let sample = try SampleService()
        let (service, stream, photo) = (try await sample.opened(), sample.stream, try PhotoID("photo-1"))
        let folder = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "../../../SampleData/pictures").standardizedFileURL
        try service.addRoot(folder.path(percentEncoded: false))
        var record = PhotoRecord(id: photo)
        record.location = .set("harbour-dusk.jpg")
        try service.edit(record, in: stream)
        // shown
        let maker = try PictureMaker(service)
        let answer = try await maker.whileRunning {
            try await maker.thumbnail(ThumbnailKind(.pixels320, as: .webP), of: photo, in: stream)
        }
        // end
        guard case .thumbnail(let thumbnail) = answer else {
            Issue.record("there is no thumbnail: \(answer)")
            return
        }
        #expect(thumbnail.bytes.starts(with: Array("RIFF".utf8)) && thumbnail.key.count == 22)
    }

    @Test func `the examples of imports`() async throws {
        let sample = try SampleService()
        let (path, source) = (sample.path, sample.source)
        let records = [#"{"id":"good","width":100,"height":100}"#, #"{"id":"bad","width":0,"height":100}"#]
        try sample.write(records, to: source)
        // shown
        let service = try PhotoStreamService(path: path, access: .readWrite) { Int64(time(nil)) * 1_000 }
        let holidays = try StreamName("holidays")
        let totals = try await PhotoImport([source], into: holidays, of: service).run { progress in
            print("\(progress.totals.read) read, \(progress.totals.rejected) rejected")
        }
        // end
        #expect(totals.read == 2 && totals.inserted == 1 && totals.rejected == 1)
        try sample.write(["flickr_id,width,height,year", "1,100,100,1866"], to: source)
        // shown
        let options = try ImportOptions(
            format: .csv, mapping: try FieldMapping(parsing: "id=flickr_id,takenAt=year"), timeZoneName: "Europe/Berlin"
        )
        let imported = try await PhotoImport([source], into: holidays, options: options, of: service).run()
        // end
        #expect(imported.inserted == 1)
        let photo = try service.read { session in try session.photo(try PhotoID("1"), of: holidays) }
        #expect(photo.takenAt?.description == "1866")
        try service.close()
    }

    @Test func `the examples of an export and of a compaction`() async throws {
        let sample = try SampleService()
        let (service, stream) = (try await sample.opened(), sample.stream)
        var lines: [ExportLine] = []
        // shown
        try service.read { session in
            try session.export(of: stream) { line in lines.append(line) }
        }
        // end
        #expect(lines.count == 201)
        // shown
        let result = try service.compact()
        print("\(result.bytesBefore) bytes before, \(result.bytesAfter) after")
        // end
        #expect(0 < result.bytesAfter && result.bytesAfter <= result.bytesBefore)
        try service.close()
    }

    @Test func `the example of facets`() async throws {
        let sample = try SampleService()
        let (service, stream) = (try await sample.opened(), sample.stream)
        // shown
        let answer = try service.read { try $0.facets(of: stream, where: Condition(parsing: "beach")) }
        for year in answer.facets[.years] ?? [] { print(year.text, year.count, year.condition) }
        // end
        #expect(answer.count == 0 && answer.facets.count == FacetKind.allCases.count)
        try service.close()
    }

    @Test func `the example of albums`() async throws {
        let sample = try SampleService()
        let (service, stream) = (try await sample.opened(), sample.stream)
        let (first, second) = (try PhotoID("photo-1"), try PhotoID("photo-2"))
        // shown
        try service.changeAlbum("Italy/2025", adding: [first, second], in: stream)
        // end
        #expect(try service.read { try $0.albums(of: stream) }.albums.map(\.count) == [2, 2])
        try service.close()
    }

    @Test func `the example of undoing edits`() async throws {
        let sample = try SampleService()
        let (service, stream, id) = (try await sample.opened(), sample.stream, try PhotoID("photo-1"))
        var edit = PhotoRecord(id: id)
        edit.caption = .set("Mine")
        try service.edit(edit, in: stream)
        // shown
        try service.resetEdits(of: [id], fields: [.text(.caption), .list(.tags)], in: stream)
        // end
        let photo = try service.read { try $0.photo(id, of: stream) }
        #expect(photo.caption == "Mine" && photo.editedFields.isEmpty && photo.captionSource == .imported)
        try service.close()
    }

    @Test func `a mapping names columns and paths`() throws {
        // shown
        let mapping = try FieldMapping(parsing: "id=flickr_id,location=images.0.url")
        let path = mapping.path(of: .text(.location))  // images.0.url
        let name = mapping.path(of: .text(.caption))  // caption
        // end
        #expect(path == "images.0.url" && name == "caption")
    }

    @Test func `the examples of answers`() async throws {
        let sample = try SampleService()
        let (stream, key) = (sample.stream, sample.key)
        let service = try await sample.opened()
        // shown
        var page = try service.read { session in try session.layout(key, of: stream).page(limit: 100) }
        while let cursor = page.nextCursor {
            page = try service.read { session in try session.layout(key, of: stream).page(.after(cursor), limit: 100) }
        }
        // end
        #expect(page.firstPosition == 100 && page.items.last?.id.rawValue == "photo-200")
        #expect(page.items.last?.attributes.frame == PixelRect(x: 300, y: 4_900, width: 100, height: 100))
        try service.close()
    }
}

/// The error of a test that expected changes.
struct UnexpectedReload: Error {}
