import Foundation
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamStorage
import PhotoStreamTestSupport
import Synchronization
import Testing

/// A file with one stream, the services that use it, and the expected results from a naive reader of its photos.
final class Gallery {
    static let stream = StreamName(stored: "gallery")

    let temporary: TemporaryDatabase
    /// The time of all services on the file.
    let clock = TestClock()
    private(set) var service: PhotoStreamService
    /// The length that all of them allow the change log.
    let log: ChangeLog
    /// The number of long folds that each service runs at once, regardless of the machine.
    let foldSlotCount: Int
    private var nextID = 0

    init(
        order: StreamOrder = .newest, chunkSize: ChunkSize = .standard, log: ChangeLog = .standard,
        foldSlotCount: Int = 2
    ) throws {
        self.log = log
        self.foldSlotCount = foldSlotCount
        temporary = try TemporaryDatabase()
        service = try PhotoStreamService(
            path: temporary.path, access: .readWrite, chunkSize: chunkSize, log: log,
            foldSlotCount: foldSlotCount, primary: temporary.primary, now: clock.tick)
        try service.createStream(Self.stream, order: order)
    }

    /// Another service on the same file, as another process would have it, whose clock may be ahead by some milliseconds.
    func anotherService(
        _ access: FileAccess = .existing, chunkSize: ChunkSize = .standard, ahead: Int64 = 0
    ) throws -> PhotoStreamService {
        try PhotoStreamService(
            path: temporary.path, access: access, chunkSize: chunkSize, log: log, foldSlotCount: foldSlotCount,
            primary: temporary.primary
        ) { [clock] in
            clock.tick() + ahead
        }
    }

    /// Closes the service and opens a new one.
    func restart() throws {
        try service.close()
        service = try anotherService()
    }

    /// Adds photos with random metrics and dates.
    func insert(_ count: Int, using random: inout SplitMix64, takenAt: ClosedRange<Int>? = nil) throws {
        let items = SampleMetrics.mixed(count, using: &random)
        let records = try items.map { item in
            nextID += 1
            var record = PhotoRecord(id: PhotoID(stored: "photo-\(nextID)"))
            record.size = .set(PhotoRecord.EncodedSize(item.pixelSize))
            if item.hasCaption { record.caption = .set("caption \(nextID)") }
            // Drawn separately, so that other draws stay the same.
            var places = SplitMix64(seed: UInt64(nextID))
            if !places.oneIn(3) { record.coordinate = .set(SampleMetrics.anyPlace(using: &places)) }
            let time = takenAt ?? (random.oneIn(3) ? 5_000...5_000 : 0...100_000)
            if takenAt != nil || !random.oneIn(20) {
                let milliseconds = Int64(random.int(in: time))
                record.takenAt = .set(
                    try CaptureTime(milliseconds: milliseconds, utcOffsetMinutes: nil, precision: .millisecond))
            }
            return record
        }
        try load(records)
    }

    /// Imports records as they are.
    func load(_ records: [PhotoRecord]) throws {
        let database = try PhotoDatabase(path: temporary.path, access: .existing, log: log, primary: temporary.primary)
        defer { try? database.close() }
        let row = try #require(try database.read { try $0.stream(named: Self.stream) })
        var seen = RowIDSet()
        var rest = records[...]
        while !rest.isEmpty {
            let done = try database.importRecords(rest, into: row.id, seen: &seen)
            rest = rest.dropFirst(done.outcomes.count)
        }
    }

    /// Runs SQL in the `sqlite3` shell: a second process with none of our settings.
    func shell(_ sql: String) throws {
        _ = try shellOutput(sql)
    }

    /// The output of the `sqlite3` shell.
    func shellOutput(_ sql: String) throws -> String {
        try Self.run(sql, in: temporary.path)
    }

    /// Runs SQL on a file in the `sqlite3` shell; gives what that prints.
    @discardableResult
    static func run(_ sql: String, in path: String) throws -> String {
        let process = Process()
        let (output, errors) = (Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/sqlite3")
        process.arguments = ["-cmd", ".timeout 5000", path, "\n" + sql]
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        let message = try errors.fileHandleForReading.readToEnd() ?? Data()
        guard process.terminationStatus == 0 else {
            throw ShellFailure(sql: sql, message: String(decoding: message, as: UTF8.self))
        }
        return String(decoding: data, as: UTF8.self)
    }

    /// Every photo in stream order.
    func photos() throws -> [Photo] {
        var photos: [Photo] = []
        while true {
            let answer = try service.read { try $0.photos(of: Self.stream, after: photos.last?.id, limit: 1_000) }
            photos += answer.photos
            guard answer.isTruncated else { return photos }
        }
    }

    struct ShellFailure: Error {
        let sql: String
        let message: String
    }
}

/// The first difference between two lists, on one line: lists of thousands are not readable.
func difference<Element: Equatable>(_ found: [Element], _ expected: [Element]) -> String? {
    if let index = zip(found, expected).enumerated().first(where: { $1.0 != $1.1 })?.offset {
        return "at \(index): \(found[index]), not \(expected[index])"
    }
    return found.count == expected.count ? nil : "\(found.count) elements, not \(expected.count)"
}

/// The layouts that tests ask for.
enum SampleLayouts {
    /// Masonries first, then layouts in lines and a grid; most in sections.
    static let configurations = [
        LayoutConfiguration(
            containerLength: 1_203, displayScale: 2, contentInset: EdgeInsets(top: 8, left: 9, bottom: 10, right: 11),
            interitemSpacing: 7, lineSpacing: 5, captionExtent: 33),
        LayoutConfiguration(
            containerLength: 375, interitemSpacing: 2, lineSpacing: 2,
            algorithm: .masonry(MasonryParameters(columns: .count(3), columnChoice: .roundRobin))),
        LayoutConfiguration(
            containerLength: 2_000, displayScale: 1.5, lineSpacing: 1, captionExtent: 20,
            sections: SectionParameters(sectioning: .day, headerReferenceSize: 30),
            algorithm: .masonry(
                MasonryParameters(columns: .minimumWidth(180), orderTolerance: 40, spanWiderThan: 1.4))),
        LayoutConfiguration(
            containerLength: 1_000, contentInset: EdgeInsets(top: 3, left: 4, bottom: 5, right: 6), lineSpacing: 6,
            captionExtent: 15,
            sections: SectionParameters(sectioning: .day, headerReferenceSize: 25, footerReferenceSize: 9),
            algorithm: .masonry(MasonryParameters(columns: .count(3), anchor: .end))),
        LayoutConfiguration(
            containerLength: 1_100, displayScale: 2, interitemSpacing: 6, lineSpacing: 9, captionExtent: 18,
            algorithm: .justified(JustifiedParameters(targetLineHeight: 180))),
        LayoutConfiguration(
            containerLength: 700, layoutDirection: .rightToLeft, interitemSpacing: 4, lineSpacing: 4,
            sections: SectionParameters(
                sectioning: .day, inset: EdgeInsets(top: 3, left: 4, bottom: 5, right: 6), footerReferenceSize: 12),
            algorithm: .flow(FlowParameters(itemSize: .height(90)))),
        LayoutConfiguration(
            containerLength: 900, scrollDirection: .horizontal, interitemSpacing: 5, lineSpacing: 8,
            sections: SectionParameters(sectioning: .day, headerReferenceSize: 20),
            algorithm: .justified(JustifiedParameters(targetLineHeight: 150, breakoutEvery: 4))),
        LayoutConfiguration(
            containerLength: 800, interitemSpacing: 6, lineSpacing: 7, captionExtent: 14,
            algorithm: .justified(JustifiedParameters(targetLineHeight: 120, breaks: .optimal))),
        LayoutConfiguration(
            containerLength: 640, interitemSpacing: 4, lineSpacing: 4, captionExtent: 10,
            sections: SectionParameters(sectioning: .day, headerReferenceSize: 24),
            algorithm: .grid(GridParameters(columns: .count(5)))),
        map,
    ]

    /// A map, of whose layout nothing is stored.
    static let map = LayoutConfiguration(
        containerLength: 500, displayScale: 1.5, layoutDirection: .rightToLeft,
        contentInset: EdgeInsets(top: 3, left: 4, bottom: 5, right: 6), interitemSpacing: 3, lineSpacing: 2,
        sections: SectionParameters(
            inset: EdgeInsets(top: 1, left: 2, bottom: 3, right: 4), headerReferenceSize: 20, footerReferenceSize: 10,
            hasBackground: true),
        badgeSize: Size(width: 8, height: 8),
        algorithm: .map(MapParameters(zoom: 1, itemSize: Size(width: 31, height: 20))))
}

extension Photo {
    /// The metrics that a layout reads of it if it was never moved.
    var metrics: ItemMetrics {
        itemMetrics(at: StreamOrder.newest.date(ofOrderTime: StreamOrder.newest.orderTime(of: takenAt)))
    }
}

/// A time that goes on with every look at it.
final class TestClock: Sendable {
    private let state = Mutex<(now: Int64, step: Int64)>((1_000, 10_000))

    /// The milliseconds between two queries: 10 seconds, so that every layout that is used again is stored.
    var step: Int64 {
        get { state.withLock { $0.step } }
        set { state.withLock { $0.step = newValue } }
    }

    /// The time, in milliseconds since 1970.
    var now: Int64 { state.withLock { $0.now } }

    /// Lets time pass.
    func advance(by milliseconds: Int64) { state.withLock { $0.now += milliseconds } }

    /// Looks at it.
    @Sendable func tick() -> Int64 {
        state.withLock { state in
            state.now += state.step
            return state.now
        }
    }
}
