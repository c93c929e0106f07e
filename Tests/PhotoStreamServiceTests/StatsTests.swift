import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamTestSupport
import Testing

/// The numbers of a stream, against a count over its photos one by one.
@Suite struct StatsTests {
    @Test(.withoutPrimary) func `statistics agree with a count of every photo`() throws {
        var random = SplitMix64(seed: 31)
        let gallery = try Gallery()
        try gallery.insert(3_000, using: &random, takenAt: -9_000_000_000...9_000_000_000)
        try gallery.shell(
            """
            UPDATE photo SET takenAtMilliseconds = NULL, takenAtPrecision = NULL WHERE id % 40 = 3;
            UPDATE photo SET utcOffsetMinutes = 600 WHERE id % 40 = 7;
            UPDATE photo SET latitude = 1, longitude = 2 WHERE id % 30 = 3;
            UPDATE photo SET metricsSource = id % 3 WHERE id % 5 = 0;
            UPDATE photo SET width = height WHERE id % 50 = 1;
            INSERT INTO stream (name, createdAtMilliseconds) VALUES ('another', 0);
            UPDATE photo SET streamId = 2 WHERE id % 2 = 1 AND id < 300;
            """)
        let first = try gallery.photos()
        _ = try gallery.service.movePhoto(first[5].id, to: .after(first[900].id), in: Gallery.stream)
        var record = PhotoRecord(id: first[7].id)
        record.alt = .set("words")
        try gallery.service.edit(record, in: Gallery.stream)
        _ = try gallery.service.warm(Gallery.stream, layout: try LayoutKey(SampleLayouts.configurations[0]))

        let answer = try gallery.service.read { try $0.stats() }
        let photos = try gallery.photos()
        #expect(answer.streams.map(\.name.rawValue) == ["another", "gallery"])
        #expect(answer.fileCount == 3_000 && answer.streams[0].count == 150)
        #expect(answer.fileByteCount > 100_000)
        let stats = try #require(answer.streams.last)
        #expect(stats.count == photos.count)
        #expect(stats.datedCount == photos.count { $0.takenAt != nil })
        let days = photos.compactMap { $0.takenAt }.map { String($0.description.prefix(10)) }
        #expect(stats.dates?.first.digits == days.min() && stats.dates?.last.digits == days.max())
        #expect(stats.captionedCount == photos.count { $0.caption != nil })
        #expect(stats.positionedCount == photos.count { $0.coordinate != nil })
        for source in [MetricsSource.measured, .ratio, .assumed] {
            #expect(stats.sources[source] == photos.count { $0.metricsSource == source })
        }
        #expect(stats.editedCount == 1 && stats.movedCount == 1)
        let sizes = photos.map { (width: Double($0.pixelSize.width), height: Double($0.pixelSize.height)) }
        #expect(stats.landscapeCount == sizes.count { $0.width > $0.height })
        #expect(stats.portraitCount == sizes.count { $0.width < $0.height })
        #expect(stats.squareCount == sizes.count { $0.width == $0.height })
        #expect(stats.panoramaCount == sizes.count { $0.width / $0.height >= 2 })
        #expect(stats.towerCount == sizes.count { $0.height / $0.width >= 2 })
        let ratios = sizes.map { $0.width / $0.height }
        #expect(stats.widest.map { Double($0.width) / Double($0.height) } == ratios.max())
        #expect(stats.tallest.map { Double($0.width) / Double($0.height) } == ratios.min())
        #expect(stats.chunks.count > 0 && stats.chunks.least <= stats.chunks.mean)
        #expect(stats.chunks.mean <= stats.chunks.greatest && stats.chunks.greatest <= photos.count)
        #expect(stats.layoutCount == 1 && stats.layoutByteCount > 0)
        #expect(try Int64(stats.layoutByteCount) == gallery.service.cacheStatus().byteCount)
        let rows = try gallery.shellOutput("SELECT count(*) FROM change WHERE streamId = 1")
        #expect("\(stats.logRowCount)\n" == rows)
    }

    @Test func `a stream without photos has no dates and no shapes`() throws {
        let gallery = try Gallery()
        let answer = try gallery.service.read { try $0.stats(of: Gallery.stream) }
        #expect(answer.bytesPerPhoto == nil)
        #expect(answer.streams.map(\.count) == [0])
        #expect(
            answer.streams[0].dates == nil && answer.streams[0].widest == nil && answer.streams[0].chunks.count == 0)
        #expect(throws: StreamServiceError.unknownStream("unknown")) {
            try gallery.service.read { try $0.stats(of: StreamName(stored: "unknown")) }
        }
    }
}
