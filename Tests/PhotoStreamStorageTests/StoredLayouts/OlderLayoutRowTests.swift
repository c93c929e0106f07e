import GRDB
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamStorage

/// Rows of `layout` that earlier versions wrote.
@Suite struct OlderLayoutRowTests {
    private let file: TemporaryDatabase
    private let database: PhotoDatabase
    private let stream: Int64

    init() throws {
        file = try TemporaryDatabase()
        database = try PhotoDatabase(path: file.path, access: .readWrite)
        stream = try database.write { try $0.createStream(named: StreamName("holiday"), now: 7) }.id
    }

    /// Writes a row with times in milliseconds and counts.
    private func insert(_ id: Int64, isKept: Bool) throws {
        let (key, numbers): (String, [Int64]) = ("key \(id)", [1_500, 2_500, isKept ? 1 : 0, 0, 3, 4])
        var sum = RowChecksum(.layout)
        sum.add(id)
        sum.add(stream)
        sum.add(key)
        for number in numbers { sum.add(number) }
        let values = numbers.map(String.init).joined(separator: ", ")
        try database.writeLocally { writer in
            try writer.database.execute(
                sql: "INSERT INTO layout VALUES (\(id), \(stream), '\(key)', \(values), \(sum.value))")
        }
    }

    private func row() throws -> StoredLayout? {
        try database.read { try $0.layout(streamID: stream, layoutKey: "key 5") }
    }

    private func use(on day: Int64) throws -> Int64 {
        try database.writeLocally { try $0.useLayout(streamID: stream, layoutKey: "key 5", on: day) }
    }

    private func damage() throws -> [String] { try database.read { try $0.damagedRowCounts() }.map(\.table) }

    @Test func `a row of a stored layout counts, and the next use of the layout updates it`() throws {
        try insert(5, isKept: true)
        #expect(try row()?.lastUsedMilliseconds == 2_500)
        #expect(try use(on: 86_400_000) == 5)
        #expect(try row()?.lastUsedMilliseconds == 86_400_000)
        #expect(try damage() == [])
    }

    @Test func `a row without data is not damaged, does not count, and gives way to the layout`() throws {
        try insert(5, isKept: false)
        #expect(try damage() == [])
        #expect(try row() == nil)
        #expect(try use(on: 0) != 5)
        #expect(try row() != nil)
        try insert(9, isKept: false)
        let ids = try database.writeLocally { writer in
            try writer.limitLayouts()
            return try writer.database.integers("SELECT id FROM layout WHERE streamId = ?", with: stream)
        }
        #expect(try ids == [row()?.id])
    }
}
