import Foundation
import GRDB
import PhotoStreamModel
import PhotoStreamTestSupport

@testable import PhotoStreamStorage

/// A new file with one stream in it.
struct StreamFixture {
    let temporary: TemporaryDatabase
    let database: PhotoDatabase
    let stream: StreamRow

    init(chunkSize: ChunkSize = .standard) throws {
        temporary = try TemporaryDatabase()
        database = try PhotoDatabase(path: temporary.path, access: .readWrite, chunkSize: chunkSize)
        stream = try database.write { try $0.createStream(named: StreamName("holiday"), now: 7) }
    }

    /// Imports records in as many transactions as it takes.
    @discardableResult
    func importing(_ records: [PhotoRecord]) throws -> [ImportOutcome] {
        var seen = RowIDSet()
        return try importing(records, seen: &seen)
    }

    @discardableResult
    func importing(_ records: [PhotoRecord], seen: inout RowIDSet) throws -> [ImportOutcome] {
        var outcomes: [ImportOutcome] = []
        while outcomes.count < records.count {
            let rest = records[outcomes.count...]
            outcomes += try database.importRecords(rest, into: stream.id, seen: &seen).outcomes
        }
        return outcomes
    }

    /// Every photo in stream order, read in pages.
    func photos(pageSize: Int = 100) throws -> [StoredPhoto] {
        var photos: [StoredPhoto] = []
        while true {
            let page = try database.read {
                try $0.photos(streamID: stream.id, after: photos.last?.key, limit: pageSize)
            }
            photos += page
            if page.count < pageSize { return photos }
        }
    }

    func photo(_ id: String) throws -> Photo? {
        try database.read { try $0.photo(streamID: stream.id, id: PhotoID(id))?.photo }
    }
}

/// A record with a size and, if `milliseconds` is given, a capture time.
func record(_ id: String, at milliseconds: Int64? = nil, width: Int = 400, height: Int = 300) throws -> PhotoRecord {
    var record = PhotoRecord(id: try PhotoID(id))
    record.size = .set(.init(try PixelSize(width: width, height: height)))
    if let milliseconds {
        record.takenAt = .set(
            try CaptureTime(milliseconds: milliseconds, utcOffsetMinutes: nil, precision: .millisecond)
        )
    }
    return record
}

/// The code and sentence of the ``StorageError`` that `body` throws.
func failure<T>(_ body: () throws -> T) -> StorageError? {
    do {
        _ = try body()
        return nil
    } catch {
        return error as? StorageError
    }
}

extension PhotoReader {
    /// The one number that a statement gives, read on the reader's own connection.
    func integer(_ sql: String) throws -> Int64? {
        try Int64.fetchOne(database, sql: sql)
    }
}

extension SplitMix64 {
    /// A number from 0 up to `bound`.
    mutating func below(_ bound: Int) -> Int { int(in: 0...bound - 1) }
}
