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

    @Test(.withoutPrimary) func `pictures that are hidden in stacks are decoded, after all others`() async throws {
        let studio = try PictureStudio()
        for name in ["a", "b", "c", "d"] { try studio.add(name) }
        for (rank, name) in ["c", "a", "d"].enumerated() {
            var record = PhotoRecord(id: PhotoID(stored: name))
            record.stack = .set(StackPlace(stored: "s", rank: rank, kind: .manual))
            try studio.gallery.load([record])
        }
        #expect(try studio.counts().pendingCount == 4)
        let progress = try await studio.running { try await studio.maker.warmUp() }
        #expect(progress.madeCount == 4 && progress.remainingCount == 0)
        let decoded = studio.decoder.requests.map(\.file.path)
        #expect(Set(decoded.prefix(2)) == ["b.jpg", "c.jpg"] && Set(decoded.suffix(2)) == ["a.jpg", "d.jpg"])
        #expect(try studio.counts().readyCount == 4 && studio.counts().pendingCount == 0)
        #expect(try await studio.running { try await studio.maker.warmUp() }.madeCount == 0)
    }

    @Test(.enabled(if: ProgramSearch.path(of: "ffmpeg") != nil, "ffmpeg is missing"))
    func `a video that was not decoded for the lack of ffmpeg is decoded once it is there`() async throws {
        let studio = try PictureStudio()
        try studio.add("a", "film")
        try studio.add("b", "damaged")
        let warmUp = { () async throws -> PictureProgress in
            try await studio.running { try await studio.maker.warmUp() }
        }
        #expect(try await warmUp().failedCount == 2)
        #expect(try studio.counts().failedCount == 2)
        try studio.write("a.jpg", "film, whose codec is known")
        #expect(try await warmUp().failedCount == 1)
        #expect(try await warmUp().failedCount == 1)
        #expect(studio.decoder.requests.map(\.file.path).filter { $0 == "a.jpg" }.count == 3)
        #expect(studio.decoder.requests.count == 4)
    }

    @Test(.withoutPrimary) func `the newest photos come first`() async throws {
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

    /// The SQL that turns results into isolated retries that a process has counted and not ended.
    private static func retried(deaths: Int) -> String {
        """
        INSERT INTO pictureTry (photoId, streamId, byteCount, modifiedNanoseconds, orientation, state, deaths, failureKind)
        SELECT id, streamId, byteCount, modifiedNanoseconds, orientation, 1, \(deaths),
            \(PictureFailure.Kind.crashed.rawValue)
        FROM picture;
        DELETE FROM picture
        """
    }

    private static let tries = "SELECT state || ' ' || deaths FROM pictureTry"

    @Test(.withoutPrimary) func `an isolated retry that a process did not survive counts as a crash`() async throws {
        let studio = try PictureStudio()
        try studio.add("a")
        try await studio.running { try await studio.maker.warmUp() }
        var pending = WarmUpSettings()
        pending.checksFiles = false
        for (deaths, settings) in [(1, WarmUpSettings()), (2, pending)] {
            try studio.gallery.shell(Self.retried(deaths: deaths))
            #expect(try studio.counts().pendingCount == 1)
            #expect(try await studio.running { try await studio.maker.warmUp(settings) }.madeCount == 1)
            #expect(try studio.gallery.shellOutput("SELECT count(*) FROM picture").contains("1"))
            #expect(try studio.gallery.shellOutput("SELECT count(*) FROM pictureTry").contains("0"))
        }
        try studio.gallery.shell(Self.retried(deaths: 3))
        let count = studio.decoder.requests.count
        #expect(try await studio.running { try await studio.maker.warmUp() }.skippedCount == 1)
        #expect(studio.decoder.requests.count == count)
        #expect(try studio.counts().failedCount == 1)
        // Only if a person wants it, and then until it has failed three more times.
        var retry = WarmUpSettings()
        retry.retriesFailures = true
        let asked = retry
        studio.decoder.kill(3)
        #expect(try await studio.running { try await studio.maker.warmUp(asked) }.failedCount == 1)
        #expect(studio.decoder.requests.count == count + 3)
        #expect(try studio.gallery.shellOutput(Self.tries).contains("1 6"))
        #expect(try await studio.running { try await studio.maker.warmUp(asked) }.madeCount == 1)
        #expect(try studio.counts().readyCount == 1)
    }

    @Test(
        .withoutPrimary,
        arguments: [
            // A process that did not survive a retry, which left a note.
            "state = 2, deaths = 0, failureKind = NULL, reason = 'note'",
            "state = 2, deaths = 2, failureKind = NULL, reason = 'note'",
            // Another failure after a crash.
            "failureKind = \(PictureFailure.Kind.damaged.rawValue), reason = 'the file is cut off'",
        ])
    func `a retry of version 0.2.0 is repeated`(row: String) async throws {
        let studio = try PictureStudio()
        try studio.add("a")
        try await studio.running { try await studio.maker.warmUp() }
        try studio.gallery.shell(Self.retried(deaths: 1) + "; UPDATE pictureTry SET \(row)")
        #expect(try studio.counts().pendingCount == 1)
        guard case .undecodable(let reason, _) = try await studio.thumbnail("a") else {
            Issue.record("it was decoded")
            return
        }
        #expect(["decoding it ended the program", "the file is cut off"].contains(reason))
        var pending = WarmUpSettings()
        pending.checksFiles = false
        let settings = pending
        #expect(try await studio.running { try await studio.maker.warmUp(settings) }.madeCount == 1)
        #expect(try studio.gallery.shellOutput("SELECT count(*) FROM pictureTry").contains("0"))
    }

    @Test func `of two processes that have found the same number of retries, one begins the next`() async throws {
        let studio = try PictureStudio()
        try studio.add("a")
        try await studio.running { try await studio.maker.warmUp() }
        try studio.gallery.shell(Self.retried(deaths: 1))
        let id = PhotoID(stored: "a")
        guard let photo = try studio.service.transaction({ try $0.picturedPhoto(streamID: 1, id: id) }),
            case .file(let file) = try studio.service.picture(of: id, in: Gallery.stream)
        else { throw PictureStudio.NoThumbnail() }
        var job = PictureJob(
            photo: photo, color: nil, file: PictureFileName(root: studio.folder.path("root"), path: "a.jpg"),
            stamp: FileStamp(file.version), purpose: .isolatedRetry)
        job.deathCount = 2
        let makers = try (0..<2).map { _ in try PictureMaker(studio.gallery.anotherService(), decoder: nil) }
        let sets = Mutex<[Bool]>([])
        let counted = job
        DispatchQueue.concurrentPerform(iterations: 8) { number in
            do {
                let isSet = try makers[number % 2].setCount(of: counted, from: 1)
                sets.withLock { $0.append(isSet) }
            } catch {
                Issue.record(error)
            }
        }
        #expect(sets.withLock { $0.sorted { $0 && !$1 } } == [true] + [Bool](repeating: false, count: 7))
        #expect(try studio.gallery.shellOutput(Self.tries).contains("1 2"))
        // A retry of a photo that was edited meanwhile, which deletes the count, is not counted.
        job.deathCount = 1
        var record = PhotoRecord(id: id)
        record.orientation = .set(.right)
        try studio.service.edit(record, in: Gallery.stream)
        #expect(try studio.gallery.shellOutput(Self.tries).isEmpty)
        #expect(try !studio.maker.setCount(of: job, from: 0))
    }

    @Test(.withoutPrimary) func `a cancelled isolated retry does not count as a crash`() async throws {
        let studio = try PictureStudio()
        try studio.add("a")
        try await studio.running { try await studio.maker.warmUp() }
        try studio.gallery.shell(Self.retried(deaths: 1))
        studio.decoder.hold()
        try await studio.running { () async throws -> Void in
            let work = Task { try await studio.maker.warmUp() }
            #expect(try await eventually { studio.decoder.activeCount == 1 })
            #expect(try studio.gallery.shellOutput(Self.tries).contains("1 2"))
            work.cancel()
            await #expect(throws: CancellationError.self) { try await work.value }
            // It has ended only after the count was lowered.
            #expect(try studio.gallery.shellOutput(Self.tries).contains("1 1"))
            studio.decoder.release()
            #expect(try await studio.maker.warmUp().madeCount == 1)
        }
        #expect(try studio.counts().readyCount == 1)
    }

    @Test func `a client's decode that an isolated retry joins is not counted`() async throws {
        let studio = try PictureStudio()
        try studio.add("a", "deadly")
        studio.decoder.hold()
        try await studio.running { () async throws -> Void in
            let client = Task { try await studio.thumbnail("a") }
            #expect(try await eventually { studio.decoder.activeCount == 1 })
            // Another process finds that the picture is deadly.
            try studio.gallery.shell(
                """
                INSERT INTO pictureTry (photoId, streamId, byteCount, modifiedNanoseconds, orientation, state, failureKind)
                SELECT id, streamId, 0, 0, orientation, 1, \(PictureFailure.Kind.crashed.rawValue) FROM photo
                """)
            let stamp = try #require(studio.maker.state.withLock { $0.pictures.decodes.values.first?.job.stamp })
            try studio.gallery.shell(
                """
                UPDATE pictureTry SET byteCount = \(stamp.byteCount), modifiedNanoseconds = \(stamp.modifiedNanoseconds)
                """)
            let work = Task { try await studio.maker.warmUp() }
            #expect(
                try await eventually {
                    studio.maker.state.withLock { $0.pictures.decodes.values.map(\.callers.count) == [2] }
                })
            studio.decoder.release()
            _ = try await client.value
            #expect(try await work.value.failedCount == 1)
        }
        // Two of the client, and three alone.
        #expect(studio.decoder.requests.count == 5)
        #expect(try studio.gallery.shellOutput(Self.tries).contains("1 3"))
    }

    @Test func `a client that joins a warm-up receives a thumbnail that another process has made`() async throws {
        let studio = try PictureStudio()
        try studio.add("a")
        guard
            case .job(let job) = try studio.maker.lookUp(
                PictureStudio.webP480, of: PhotoID(stored: "a"), in: Gallery.stream, acceptsOriginal: { _ in false })
        else { throw PictureStudio.NoThumbnail() }
        let warmUp = PictureJob(
            photo: job.photo, color: nil, file: job.file, stamp: job.stamp, purpose: .warmUp(checksStore: true))
        let gate = DispatchSemaphore(value: 0)
        studio.maker.lookUps.start { gate.wait() }
        @Sendable func callerCount() -> Int { studio.maker.state.withLock { $0.callers.count } }
        let first = Task { try await studio.maker.result(of: warmUp, urgency: .background) }
        #expect(try await eventually { callerCount() == 1 })
        let second = Task { try await studio.maker.make(job) }
        #expect(try await eventually { callerCount() == 2 })
        let other = try PictureMaker(studio.gallery.anotherService(), decoder: studio.decoder)
        #expect(try await other.whileRunning { try await other.warmUp() }.madeCount == 1)
        gate.signal()
        guard case .ready = try await first.value, case .thumbnail = try await second.value else {
            Issue.record("it was not found")
            return
        }
        #expect(studio.decoder.requests.count == 1)
    }

    @Test func `it waits while results cannot be written`() async throws {
        let studio = try PictureStudio()
        let count = PictureMaker.unwrittenLimit + 50
        for number in 0..<count { try studio.add("p\(number)") }
        try studio.gallery.shell(
            "CREATE TRIGGER full BEFORE INSERT ON picture BEGIN SELECT RAISE(ABORT, 'the disk is full'); END")
        try await studio.running { () async throws -> Void in
            let work = Task { try await studio.maker.warmUp() }
            #expect(try await eventually { studio.maker.unwrittenCount > PictureMaker.unwrittenLimit })
            try await Task.sleep(for: .milliseconds(300))
            #expect(studio.decoder.requests.count < count)
            try studio.gallery.shell("DROP TRIGGER full")
            #expect(try await work.value.madeCount == count)
        }
        #expect(studio.decoder.requests.count == count)
        #expect(try studio.counts().readyCount == count)
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
