import Foundation
import PhotoStreamModel
import PhotoStreamPictureMessages
import PhotoStreamPictures
import PhotoStreamStorage
import PhotoStreamTestSupport
import Synchronization
import Testing

@testable import PhotoStreamService

@Suite struct WarmUpTests {
    @Test func `all pictures are decoded once, and nothing is logged`() async throws {
        let studio = try PictureStudio()
        for number in 0..<300 { try studio.add("p\(number)", number % 50 == 7 ? "damaged \(number)" : "") }
        var elsewhere = PhotoRecord(id: PhotoID(stored: "remote"))
        elsewhere.location = .set("https://example.org/a.jpg")
        var gone = PhotoRecord(id: PhotoID(stored: "gone"))
        gone.location = .set("gone.jpg")
        try studio.gallery.load([elsewhere, gone, PhotoRecord(id: PhotoID(stored: "none"))])
        let logged = "SELECT count(*) || ' ' || coalesce(max(revision), 0) FROM change"
        let before = try studio.gallery.shellOutput(logged)
        let reports = Mutex<[PictureProgress]>([])
        let progress = try await studio.running {
            try await studio.maker.warmUp { progress in reports.withLock { $0.append(progress) } }
        }
        #expect(progress.madeCount == 294 && progress.failedCount == 6 && progress.remainingCount == 0)
        #expect(progress.skippedCount == 3 && reports.withLock { $0.last } == progress)
        #expect(studio.decoder.requests.count == 300)
        #expect(Set(studio.decoder.requests.map(\.file.path)).count == 300)
        #expect(try studio.gallery.shellOutput(logged) == before)
        let counts = try studio.counts()
        // The missing file is a failure, too.
        #expect(counts.readyCount == 294 && counts.failedCount == 7 && counts.pendingCount == 2)
        #expect(try studio.service.verifyPictures().isEmpty)
        // Again: nothing to do, until the store is lost.
        #expect(try await studio.running { try await studio.maker.warmUp() }.madeCount == 0)
        #expect(studio.decoder.requests.count == 300)
        try studio.service.clearPictures(includingResults: false)
        #expect(try await studio.running { try await studio.maker.warmUp() }.madeCount == 294)
        var retry = WarmUpSettings()
        retry.retriesFailures = true
        let asked = retry
        #expect(try await studio.running { try await studio.maker.warmUp(asked) }.failedCount == 6)
        try studio.service.clearPictures(includingResults: true)
        #expect(try studio.counts().pendingCount == 303)
    }

    @Test func `the newest photos come first`() async throws {
        let studio = try PictureStudio()
        for number in 0..<40 {
            try studio.write("p\(number).jpg", "\(number)")
            var record = PhotoRecord(id: PhotoID(stored: "p\(number)"))
            record.location = .set("p\(number).jpg")
            record.takenAt = .set(
                try CaptureTime(milliseconds: Int64(number * 7 % 40) * 86_400_000, utcOffsetMinutes: 0, precision: .day)
            )
            try studio.gallery.load([record])
        }
        try await studio.running { try await studio.maker.warmUp() }
        let places = try studio.gallery.photos().map { "\($0.id.rawValue).jpg" }
        let order = studio.decoder.requests.compactMap { places.firstIndex(of: $0.file.path) }
        #expect(order.count == 40)
        // Three are decoded at once.
        for (position, place) in order.enumerated() { #expect(abs(position - place) < 4) }
    }

    @Test func `it ends immediately when cancelled, and resumes`() async throws {
        let studio = try PictureStudio()
        for number in 0..<30 { try studio.add("p\(number)") }
        studio.decoder.hold()
        try await studio.running { () async throws -> Void in
            let work = Task { try await studio.maker.warmUp() }
            #expect(try await eventually { studio.decoder.activeCount == 3 })
            work.cancel()
            // It does not wait for the decodes, which are held.
            _ = await work.result
            #expect(try await eventually { studio.decoder.activeCount == 0 })
            studio.decoder.release()
            #expect(try await studio.maker.warmUp().madeCount == 30)
        }
        #expect(try studio.counts().readyCount == 30)
    }

    @Test func `requests of clients have priority and are not decoded twice`() async throws {
        let studio = try PictureStudio()
        for number in 0..<30 { try studio.add("p\(number)") }
        studio.decoder.hold()
        try await studio.running { () async throws -> Void in
            var settings = WarmUpSettings()
            settings.isInBackground = true
            let asked = settings
            async let progress = studio.maker.warmUp(asked)
            #expect(try await eventually { studio.decoder.activeCount == 3 })
            let active = try #require(studio.decoder.requests.first?.file.path.split(separator: ".").first)
            async let joined = studio.bytes(String(active))
            async let first = studio.bytes("p29")
            #expect(try await eventually { studio.decoder.urgencies.contains(.foreground) })
            studio.decoder.release()
            _ = try await (joined, first)
            #expect(try await progress.remainingCount == 0)
        }
        #expect(studio.decoder.requests.count == 30)
        #expect(try studio.counts().readyCount == 30)
    }

    @Test func `a picture is skipped after three worker crashes, and others survive any number`() async throws {
        let studio = try PictureStudio()
        for number in 0..<20 { try studio.add("p\(number)", number == 4 ? "deadly" : "") }
        studio.decoder.kill(3)
        let progress = try await studio.running { try await studio.maker.warmUp() }
        #expect(progress.madeCount == 19 && progress.failedCount == 1)
        let counts = try studio.counts()
        #expect(counts.readyCount == 19 && counts.failedCount == 1)
        // Once with the others, then alone until the third death; and each killed one once more.
        let deadly = studio.decoder.requests.filter { $0.file.path == "p4.jpg" }.count
        #expect((3...7).contains(deadly))
        #expect(studio.decoder.requests.count - deadly <= 19 + 3)
        #expect(
            try studio.gallery.shellOutput("SELECT state || ' ' || deaths FROM pictureTry WHERE deaths > 0").contains(
                "1 3"))
        // It is not tried any more.
        try await studio.running { try await studio.maker.warmUp() }
        #expect(studio.decoder.requests.filter { $0.file.path == "p4.jpg" }.count == deadly)
    }

    /// The SQL that turns results into tries that a process has not ended.
    private static func beingTried(deaths: Int, note: String? = nil) -> String {
        """
        INSERT INTO pictureTry (photoId, streamId, byteCount, modifiedNanoseconds, orientation, state, deaths, reason)
        SELECT id, streamId, byteCount, modifiedNanoseconds, orientation, 2, \(deaths), \(note.map { "'\($0)'" } ?? "NULL")
        FROM picture;
        DELETE FROM picture
        """
    }

    @Test func `a try that a process did not survive counts as a crash`() async throws {
        let studio = try PictureStudio()
        try studio.add("a")
        try await studio.running { try await studio.maker.warmUp() }
        for deaths in 0..<2 {
            try studio.gallery.shell(Self.beingTried(deaths: deaths))
            #expect(try await studio.running { try await studio.maker.warmUp() }.madeCount == 1)
            #expect(try studio.gallery.shellOutput("SELECT count(*) FROM picture").contains("1"))
            #expect(try studio.gallery.shellOutput("SELECT count(*) FROM pictureTry").contains("0"))
        }
        try studio.gallery.shell(Self.beingTried(deaths: 2))
        let count = studio.decoder.requests.count
        #expect(try await studio.running { try await studio.maker.warmUp() }.failedCount == 1)
        #expect(studio.decoder.requests.count == count)
        #expect(try studio.counts().failedCount == 1)
    }

    @Test func `a try of another living process is skipped and does not count`() async throws {
        let studio = try PictureStudio()
        try studio.add("a")
        try await studio.running { try await studio.maker.warmUp() }
        let other = Process()
        other.executableURL = URL(filePath: "/bin/sleep")
        other.arguments = ["600"]
        try other.run()
        defer { kill(other.processIdentifier, SIGKILL) }
        let note = LoneTry.note(of: other.processIdentifier, now: studio.gallery.clock.tick())
        try studio.gallery.shell(Self.beingTried(deaths: 2, note: note))
        let row = "SELECT state || ' ' || deaths FROM pictureTry"
        let count = studio.decoder.requests.count
        var pending = WarmUpSettings()
        pending.checksFiles = false
        for settings in [WarmUpSettings(), pending] {
            let progress = try await studio.running { try await studio.maker.warmUp(settings) }
            #expect(progress.skippedCount == 1 && progress.failedCount == 0 && progress.madeCount == 0)
        }
        #expect(studio.decoder.requests.count == count)
        #expect(try studio.gallery.shellOutput(row).contains("2 2"))
        // Once it has died, it was the third death.
        kill(other.processIdentifier, SIGKILL)
        #expect(try await eventually { !LoneTry.isRunning(note, now: 0) })
        #expect(try await studio.running { try await studio.maker.warmUp() }.failedCount == 1)
        #expect(studio.decoder.requests.count == count)
        #expect(try studio.gallery.shellOutput(row).contains("1 3"))
    }

    @Test func `a cancelled isolated try does not count as a crash`() async throws {
        let studio = try PictureStudio()
        try studio.add("a")
        try await studio.running { try await studio.maker.warmUp() }
        try studio.gallery.shell(Self.beingTried(deaths: 1))
        studio.decoder.hold()
        try await studio.running { () async throws -> Void in
            let work = Task { try await studio.maker.warmUp() }
            #expect(try await eventually { studio.decoder.activeCount == 1 })
            let state = try studio.gallery.shellOutput("SELECT state || ' ' || deaths FROM pictureTry")
            #expect(state.contains("2 2"))
            work.cancel()
            _ = await work.result
            #expect(
                try await eventually {
                    try studio.gallery.shellOutput("SELECT state || ' ' || deaths FROM pictureTry").contains("1 2")
                })
            studio.decoder.release()
            #expect(try await studio.maker.warmUp().madeCount == 1)
        }
        #expect(try studio.counts().readyCount == 1)
    }

    @Test func `a note identifies whether its process is running`() async throws {
        let now: Int64 = 1_700_000_000_000
        #expect(LoneTry.isRunning(LoneTry.note(now: now), now: now))
        #expect(!LoneTry.isRunning(nil, now: now) && !LoneTry.isRunning("", now: now))
        // Another start of the machine, or another container: only the time decides.
        let parts = LoneTry.note(now: now).split(separator: " ")
        let elsewhere = "other/pid \(parts[1]) \(parts[2]) \(now)"
        #expect(LoneTry.isRunning(elsewhere, now: now + 599_000) && !LoneTry.isRunning(elsewhere, now: now + 601_000))
        #expect(!LoneTry.isRunning(elsewhere, now: now - 1))
        // Another process got the id.
        #expect(!LoneTry.isRunning("\(parts[0]) \(parts[1]) 1 \(now)", now: now))
        let ended = Process()
        ended.executableURL = URL(filePath: "/bin/true")
        try ended.run()
        let note = LoneTry.note(of: ended.processIdentifier, now: now)
        #expect(try await eventually { !LoneTry.isRunning(note, now: now) })
    }

    @Test func `new photos are noticed while it runs`() async throws {
        let studio = try PictureStudio()
        try studio.add("a")
        try await studio.running { () async throws -> Void in
            let work = Task { await studio.maker.warmUpContinually() }
            #expect(try await eventually { try studio.counts().readyCount == 1 })
            try studio.add("b")
            #expect(try await eventually { try studio.counts().readyCount == 2 })
            work.cancel()
            await work.value
        }
    }

    @Test func `a file that an import finds changed loses its key immediately and is decoded again`() async throws {
        let studio = try PictureStudio()
        try studio.add("a")
        try await studio.running { () async throws -> Void in
            let work = Task {
                await studio.maker.warmUpContinually(every: .milliseconds(10), andLongest: .milliseconds(50))
            }
            #expect(try await eventually { try studio.shown("a") != nil })
            let key = try #require(try studio.shown("a")?.key)
            let before = try studio.service.read { try $0.pictureRevision(of: Gallery.stream) }
            try studio.write("a.jpg", "another picture")
            // An import of the folder that reads the file, and finds the fields of its photo unchanged.
            var status = stat()
            #expect(stat(studio.folder.path("root/a.jpg"), &status) == 0)
            let row = PictureFileRow(
                rootID: try studio.service.transaction { try $0.roots()[0].id }, path: "a.jpg",
                photo: PhotoID(stored: "a"), byteCount: Int64(status.st_size),
                modifiedNanoseconds: Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec),
                state: .read)
            studio.decoder.hold()
            try studio.service.database.write { writer in
                try writer.savePictureFiles(streamID: try #require(try writer.reader.streams().first).id, [row])
            }
            #expect(try studio.shown("a") == nil)
            #expect(try studio.service.read { try $0.pictureRevision(of: Gallery.stream) } > before)
            studio.decoder.release()
            #expect(try await eventually { try studio.shown("a") != nil })
            #expect(try studio.shown("a")?.key != key)
            // The same version again changes nothing.
            let count = studio.decoder.requests.count
            try studio.service.database.write { writer in
                try writer.savePictureFiles(streamID: try #require(try writer.reader.streams().first).id, [row])
            }
            #expect(try studio.shown("a") != nil && studio.decoder.requests.count == count)
            work.cancel()
            await work.value
        }
    }

    @Test func `pages and their validators change with pictures`() async throws {
        let studio = try PictureStudio()
        for number in 0..<5 { try studio.add("p\(number)") }
        let before = try studio.service.read { try $0.pictureRevision(of: Gallery.stream) }
        let list = try studio.service.read { try $0.photos(of: Gallery.stream) }
        #expect(list.pictures.allSatisfy { $0 == nil })
        try await studio.running { try await studio.maker.warmUp() }
        #expect(try studio.service.read { try $0.pictureRevision(of: Gallery.stream) } > before)
        let shown = try studio.service.read { try $0.photos(of: Gallery.stream) }
        #expect(shown.pictures.allSatisfy { $0?.placeholder?.count == 36 && $0?.color != nil })
        #expect(Set(shown.pictures.map { $0?.key }).count == 5)
    }
}
