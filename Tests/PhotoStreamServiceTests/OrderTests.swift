import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamStorage
import PhotoStreamTestSupport
import Testing

/// The effects of the three orders and of the precision of dates on pages, sections and moves.
@Suite struct OrderTests {
    /// A photo with a date as an import reads it, or none.
    private static func record(_ id: String, _ date: (Int, Int?, Int?)?, seconds: Int? = nil) throws -> PhotoRecord {
        var record = PhotoRecord(id: PhotoID(stored: id))
        record.size = .set(PhotoRecord.EncodedSize(try PixelSize(width: 400, height: 300)))
        if let (year, month, day) = date {
            let civil = try #require(CivilDate(year: year, month: month ?? 1, day: day ?? 1))
            let precision: CaptureTime.Precision =
                seconds != nil ? .second : day != nil ? .day : month != nil ? .month : .year
            record.takenAt = .set(
                try CaptureTime(
                    milliseconds: Int64(civil.daysSince1970) * 86_400_000 + Int64(seconds ?? 0) * 1_000,
                    utcOffsetMinutes: nil, precision: precision))
        }
        return record
    }

    /// Photos around the turn of a year, with dates of different precision, as in a real collection.
    private static func mixed() throws -> [PhotoRecord] {
        try [
            record("year a", (1_866, nil, nil)), record("noon", (1_866, 1, 1), seconds: 43_200), record("none a", nil),
            record("march", (1_866, 3, nil)), record("day", (1_866, 1, 1)), record("january", (1_866, 1, nil)),
            record("year b", (1_866, nil, nil)), record("before", (1_865, 12, 31)), record("none b", nil),
            record("march 1", (1_866, 3, 1)), record("february", (1_866, 2, 28)),
        ]
    }

    private func ids(_ gallery: Gallery) throws -> [String] { try gallery.photos().map(\.id.rawValue) }

    private func sections(_ gallery: Gallery, _ sectioning: Sectioning) throws -> [String] {
        let key = try LayoutKey(
            LayoutConfiguration(
                containerLength: 500,
                sections: SectionParameters(sectioning: sectioning, headerReferenceSize: 10)))
        return try gallery.service.read { try $0.layout(key, of: Gallery.stream).summary() }.sections.map {
            "\($0.id): \($0.count)"
        }
    }

    @Test func `newest first puts less precise dates after more precise ones`() throws {
        let gallery = try Gallery()
        try gallery.load(Self.mixed())
        #expect(
            try ids(gallery) == [
                "march 1", "march", "february", "noon", "day", "january", "year a", "year b", "before", "none a",
                "none b",
            ])
        #expect(
            try sections(gallery, .day) == [
                "1866-03-01: 1", "1866-03: 1", "1866-02-28: 1", "1866-01-01: 2", "1866-01: 1", "1866: 2",
                "1865-12-31: 1", "undated: 2",
            ])
        #expect(
            try sections(gallery, .month) == [
                "1866-03: 2", "1866-02: 1", "1866-01: 3", "1866: 2", "1865-12: 1", "undated: 2",
            ])
        #expect(try sections(gallery, .year) == ["1866: 8", "1865: 1", "undated: 2"])
        #expect(try sections(gallery, .none) == ["all: 11"])
    }

    @Test func `oldest first is the reverse, except for equal times and undated photos`() throws {
        let gallery = try Gallery(order: .oldest)
        try gallery.load(Self.mixed())
        #expect(
            try ids(gallery) == [
                "before", "year a", "year b", "january", "day", "noon", "february", "march", "march 1", "none a",
                "none b",
            ])
        #expect(
            try sections(gallery, .day) == [
                "1865-12-31: 1", "1866: 2", "1866-01: 1", "1866-01-01: 2", "1866-02-28: 1", "1866-03: 1",
                "1866-03-01: 1", "undated: 2",
            ])
        #expect(
            try sections(gallery, .month) == [
                "1865-12: 1", "1866: 2", "1866-01: 3", "1866-02: 1", "1866-03: 2", "undated: 2",
            ])
        #expect(try sections(gallery, .year) == ["1865: 1", "1866: 8", "undated: 2"])
    }

    @Test func `manual order is the import order, without sections by date and capture times`() throws {
        let gallery = try Gallery(order: .manual)
        try gallery.load(Self.mixed())
        let imported = try Self.mixed().map(\.id.rawValue)
        #expect(try ids(gallery) == imported)
        for sectioning in Sectioning.allCases { #expect(try sections(gallery, sectioning) == ["all: 11"]) }
        let moved = PhotoID(stored: "before")
        try gallery.service.movePhoto(moved, to: .before(PhotoID(stored: "noon")), in: Gallery.stream)
        var record = try Self.record("before", (1_999, 9, 9))
        try gallery.service.edit(record, in: Gallery.stream)
        record.id = PhotoID(stored: "noon")
        record.takenAt = .clear
        try gallery.load([record])
        try gallery.shell("UPDATE photo SET takenAtMilliseconds = 5, takenAtPrecision = 5 WHERE externalId = 'before'")
        let expected = ["year a", "before"] + imported.dropFirst().filter { $0 != "before" }
        #expect(try ids(gallery) == expected)
        #expect(try gallery.service.read { try $0.stats(of: Gallery.stream) }.streams[0].movedCount == 1)
    }

    @Test(arguments: StreamOrder.allCases)
    func `later photos follow those of their time that were moved to its end`(order: StreamOrder) throws {
        let gallery = try Gallery(order: order)
        try gallery.load((0..<40).map { try Self.record("p\($0)", (2_000, 1, 1)) })
        // More than a gap has ranks for, so that some are spread.
        for step in 0..<120 {
            let last = try #require(try ids(gallery).last)
            let next = "p\(step * 7 % 40)"
            guard next != last else { continue }
            try gallery.service.movePhoto(PhotoID(stored: next), to: .after(PhotoID(stored: last)), in: Gallery.stream)
        }
        let moved = try ids(gallery)
        try gallery.load([Self.record("new a", (2_000, 1, 1)), Self.record("new b", (2_000, 1, 1))])
        #expect(try ids(gallery) == moved + ["new a", "new b"])
    }

    @Test(arguments: [StreamOrder.newest, .oldest])
    func `a moved photo takes its neighbour's time and precision until its own time changes`(
        order: StreamOrder
    ) throws {
        let gallery = try Gallery(order: order)
        try gallery.load(Self.mixed())
        let noon = PhotoID(stored: "noon")
        try gallery.service.movePhoto(noon, to: .after(PhotoID(stored: "year a")), in: Gallery.stream)
        let list = try ids(gallery)
        let first = try #require(list.firstIndex(of: "year a"))
        #expect(list[first...first + 2] == ["year a", "noon", "year b"])
        #expect(try sections(gallery, .day).contains("1866: 3"))
        // The same instant, known less well.
        try gallery.service.edit(Self.record("noon", (1_866, 1, 1)), in: Gallery.stream)
        #expect(try sections(gallery, .day).contains("1866: 2"))
        let behind = try ids(gallery)
        let day = try #require(behind.firstIndex(of: "day"))
        #expect(behind[(order == .newest ? day - 1 : day - 1)] == "noon")
    }

    /// The law: each section id occurs once, and is a function of the place's order time.
    @Test(arguments: StreamOrder.allCases, [1, 2] as [UInt64])
    func `for any dates and moves, each section id is unique and follows from the order time`(
        order: StreamOrder, seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let gallery = try Gallery(order: order, chunkSize: ChunkSize(minimum: 4, target: 8, maximum: 16))
        let records = try (0..<400).map { index in
            let year = random.int(in: 1_865...1_867)
            let month = random.oneIn(4) ? nil : random.element(of: [1, 1, 2, 12])
            let day = month == nil || random.oneIn(3) ? nil : random.element(of: [1, 1, 2, 28])
            return try Self.record(
                "p\(index)", random.oneIn(20) ? nil : (year, month, day),
                seconds: day != nil && random.oneIn(2) ? random.int(in: 0...86_399) : nil)
        }
        try gallery.load(records)
        for _ in 0..<150 {
            let (id, other) = (random.int(in: 0...399), random.int(in: 0...399))
            guard id != other else { continue }
            let neighbour = PhotoID(stored: "p\(other)")
            try gallery.service.movePhoto(
                PhotoID(stored: "p\(id)"), to: random.oneIn(2) ? .before(neighbour) : .after(neighbour),
                in: Gallery.stream)
        }
        let times = try gallery.shellOutput(
            "SELECT orderTime FROM photo WHERE streamId = 1 ORDER BY orderTime DESC, orderRank DESC"
        ).split(separator: "\n").compactMap { Int64($0) }
        #expect(times.count == 400)
        for sectioning in Sectioning.allCases {
            let key = try LayoutKey(
                LayoutConfiguration(containerLength: 500, sections: SectionParameters(sectioning: sectioning)))
            let sections = try gallery.service.read { try $0.layout(key, of: Gallery.stream).summary() }.sections
            #expect(Set(sections.map(\.id)).count == sections.count, "\(sectioning): \(sections.map(\.id))")
            #expect(sections.reduce(0) { $0 + $1.count } == 400)
            for section in sections {
                for time in times[section.firstIndex..<section.firstIndex + section.count] {
                    #expect(section.id == Self.sectionID(time, order, sectioning))
                }
            }
        }
    }

    /// The id of the section that a place belongs to, from its order time alone.
    private static func sectionID(_ time: Int64, _ order: StreamOrder, _ sectioning: Sectioning) -> String {
        if sectioning == .none || order == .manual { return "all" }
        if time == .min { return "undated" }
        let value = Int(order == .oldest ? -time : time)
        let precision = (value % 4 + 4) % 4
        let milliseconds = (value - precision) / 4
        let days = (milliseconds - (milliseconds % 86_400_000 + 86_400_000) % 86_400_000) / 86_400_000
        let date = NaiveSections.date(ofDay: days)
        func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let known = ["\(date.year)", padded(date.month), padded(date.day)].prefix(min(precision, 2) + 1)
        return known.prefix(sectioning == .day ? 3 : sectioning == .month ? 2 : 1).joined(separator: "-")
    }

    @Test func `the order of a stream is stored, reported, and never changed by an edit`() throws {
        let gallery = try Gallery(order: .oldest)
        #expect(try gallery.service.read { try $0.stream(Gallery.stream) }.order == .oldest)
        #expect(throws: Gallery.ShellFailure.self) { try gallery.shell("UPDATE stream SET streamOrder = 0") }
        #expect(throws: Gallery.ShellFailure.self) {
            try gallery.shell("INSERT INTO photo (streamId, externalId, width, height) VALUES (1, 'a', 4, 3)")
        }
        try gallery.shell(
            "INSERT INTO photo (streamId, streamOrder, externalId, width, height) VALUES (1, 1, 'a', 4, 3)")
        #expect(throws: Gallery.ShellFailure.self) { try gallery.shell("UPDATE photo SET streamOrder = 2") }
        #expect(try ids(gallery) == ["a"])
    }

    @Test(arguments: StreamOrder.allCases)
    func `scrubber and stats show a date of which only the year is known as such`(order: StreamOrder) throws {
        let gallery = try Gallery(order: order)
        try gallery.load(Self.mixed().filter { $0.id.rawValue.hasPrefix("year") })
        let key = try LayoutKey(LayoutConfiguration(containerLength: 500))
        let stop = try #require(
            try gallery.service.read { try $0.layout(key, of: Gallery.stream).scrubber(steps: 1) }.stops.first)
        #expect(stop.date.digits == (order == .manual ? nil : "1866"))
        #expect(stop.date.unit == (order == .manual ? nil : .year))
        let dates = try gallery.service.read { try $0.stats(of: Gallery.stream) }.streams[0].dates
        #expect(dates?.first.digits == "1866" && dates?.last.digits == "1866")
    }

    /// A file of version 0.1.0, queried with its own cursors and revisions.
    @Test(.withoutPrimary) func `cursors and revisions of version 0 1 0 are outdated, photos and key remain`() throws {
        let temporary = try TemporaryDatabase()
        try Gallery.run(OldFile.sql, in: temporary.path)
        let service = try PhotoStreamService(path: temporary.path, access: .existing, primary: temporary.primary) { 0 }
        let stream = StreamName(stored: OldFile.stream)
        #expect(throws: StreamServiceError.outdatedCursor) {
            try service.read { try $0.layout(of: stream, after: OldFile.cursor).page(.after(OldFile.cursor), limit: 3) }
        }
        for since in [Revision(1), Revision(OldFile.revision)] {
            guard case .reload(let reload) = try service.read({ try $0.changes(of: stream, since: since) }) else {
                Issue.record("changes since \(since) are listed")
                continue
            }
            #expect(reload.reason == .trimmed)
        }
        let now = try service.read { try $0.stream(stream) }.revision
        guard case .changes(let answer) = try service.read({ try $0.changes(of: stream, since: now) }) else {
            Issue.record("changes since now are not told")
            return
        }
        #expect(answer.changes.isEmpty && now > Revision(OldFile.revision))
        let days = try LayoutKey(
            LayoutConfiguration(containerLength: 600, sections: SectionParameters(sectioning: .day)))
        #expect(
            try service.read { try $0.layout(days, of: stream).summary() }.sections.map(\.id).suffix(6)
                == [
                    "1866-03-01", "1866-03", "1866-01-01", "1866-01", "1866", "1865-12-31", "undated",
                ].suffix(6))
        let map = try LayoutKey(SampleLayouts.map)
        #expect(try service.read { try $0.layout(map, of: stream).summary() }.sections.map(\.count) == [2, 26])
        #expect(try service.verifyDerived().differences.isEmpty)
    }
}
