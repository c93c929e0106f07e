import Foundation
import Logging
import PhotoStreamModel
import PhotoStreamPictures
import PhotoStreamService
import PhotoStreamTestSupport
import Testing

/// The order of photos that were taken in one second, imported by real workers.
@Suite struct FolderOrderTests {
    private let folder: TextFolder

    init() throws {
        folder = try TextFolder()
    }

    /// Imports copies of a picture without a date, which have the times of their files, and returns the ids in the order
    /// of the stream.
    private func ids(_ order: StreamOrder, of files: [(name: String, seconds: Int)]) async throws -> [String] {
        let samples = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "../../../SampleData/pictures").standardizedFileURL
        let picture = try Data(contentsOf: samples.appending(path: "fifty-to-one.jpg"))
        for (name, seconds) in files {
            try folder.write(name, "")
            let url = folder.folder.appending(path: "a/" + name)
            try picture.write(to: url)
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: Double(seconds))], ofItemAtPath: url.path)
        }
        var settings = PictureWorkers.Settings(executablePath: try #require(PictureWorkers.locate()))
        settings.count = 2
        let workers = PictureWorkers(settings, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let running = Task { await workers.run() }
        let run = try FolderImport(
            [folder.path("a")], into: TextFolder.stream, order: order, reading: workers, of: folder.service)
        let progress = try await run.run()
        running.cancel()
        await running.value
        #expect(progress.totals.inserted == files.count)
        return try folder.photos().map(\.id.rawValue)
    }

    @Test(arguments: [
        (StreamOrder.newest, ["IMG_11.jpg", "IMG_10.jpg", "IMG_9.jpg", "IMG_8.jpg"]),
        (.oldest, ["IMG_8.jpg", "IMG_9.jpg", "IMG_10.jpg", "IMG_11.jpg"]),
        (.manual, ["IMG_8.jpg", "IMG_9.jpg", "IMG_10.jpg", "IMG_11.jpg"]),
    ])
    func `photos of one second are in the order of their numbers, in the direction of the stream`(
        order: StreamOrder, expected: [String]
    ) async throws {
        let found = try await ids(
            order, of: [("IMG_10.jpg", 1_000), ("IMG_8.jpg", 1_000), ("IMG_11.jpg", 1_001), ("IMG_9.jpg", 1_000)])
        #expect(found == expected)
    }

    @Test(arguments: [StreamOrder.newest, .oldest])
    func `the order also holds across batches and reads that end out of turn`(order: StreamOrder) async throws {
        let count = 700
        for number in 1...count {
            try folder.write("IMG_\(number).jpg", "P 4 3\ntakenAt 1000")
        }
        _ = try await FolderImport(
            [folder.path("a")], into: TextFolder.stream, order: order, reading: folder.pictures, of: folder.service
        ).run()
        let numbers = try folder.photos().compactMap { Int($0.id.rawValue.filter(\.isNumber)) }
        #expect(numbers == (order == .newest ? Array((1...count).reversed()) : Array(1...count)))
    }
}
