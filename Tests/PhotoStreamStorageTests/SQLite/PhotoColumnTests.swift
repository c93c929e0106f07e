import GRDB
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamStorage

/// Every field of the table in the file: its columns, and the effect of a write to it.
@Suite struct PhotoColumnTests {
    private let fixture: StreamFixture
    private let id = PhotoID(stored: "a")

    init() throws {
        fixture = try StreamFixture()
    }

    @Test func `the list of columns equals that of the table, each at its own number`() throws {
        var columns: Set<String> = []
        try fixture.database.read { reader in
            let statement = try RawStatement(reader.database, sql: "SELECT name FROM pragma_table_xinfo('photo')")
            try statement.forEach { columns.insert($0.text(0)) }
        }
        let others: Set = ["movedTime", "movedRank", "movedFromOrderTime", "ownOrderTime", "hasCaption"]
        #expect(Set(PhotoColumn.allCases.map(\.name)) == columns.subtracting(others))
        #expect(PhotoColumn.allCases.map(\.index) == Array(0..<Int32(PhotoColumn.allCases.count)))
        #expect(PhotoColumn.updated.first == .width && PhotoColumn.inserted.first == .id)
        let fields = PhotoField.allCases.flatMap(\.row.columns).map(\.description)
        #expect(
            Set(fields).union(["editedFields", "fileFields", "clearedFields"]) == Set(PhotoColumn.updated.map(\.name)))
    }

    @Test(arguments: PhotoField.allCases)
    func `an import stores, keeps and clears the field, and logs each change`(field: PhotoField) throws {
        let (first, second) = (
            try PhotoRecord(id: id, setting: field), try PhotoRecord(id: id, setting: field, isSecond: true)
        )
        #expect(try fixture.importing([first]) == [.inserted])
        #expect(try fixture.photo("a") == Photo.applying(first, to: nil, by: .importer))
        #expect(try fixture.importing([first]) == [.unchanged])
        #expect(try fixture.importing([PhotoRecord(id: id)]) == [.unchanged])
        let before = try #require(try lastRevision())
        #expect(try fixture.importing([second]) == [.updated])
        #expect(try fixture.photo("a") == Photo.applying(second, to: nil, by: .importer))
        #expect(try changed(since: before) == [id])
        // The other value of a Boolean is the same as none.
        let isCleared = field.isFlag
        #expect(try fixture.importing([PhotoRecord(id: id, clearing: field)]) == [isCleared ? .unchanged : .updated])
        #expect(try fixture.photo("a") == Photo.applying(PhotoRecord(id: id), to: nil, by: .importer))
        #expect(try lastRevision() == before + (isCleared ? 1 : 2))
    }

    @Test(arguments: PhotoField.allCases)
    func `an edit of the field is logged and outranks an import`(field: PhotoField) throws {
        try fixture.importing([PhotoRecord(id: id)])
        let before = try #require(try lastRevision())
        let edit = try PhotoRecord(id: id, setting: field, isSecond: true)
        let stored = try fixture.database.write { try $0.edit(streamID: fixture.stream.id, record: edit) }
        #expect(stored?.photo.editedFields == PhotoFields(field))
        #expect(try fixture.photo("a") == stored?.photo)
        #expect(try changed(since: before) == [id])
        #expect(try fixture.importing([PhotoRecord(id: id, setting: field)]) == [.unchanged])
        #expect(try fixture.importing([PhotoRecord(id: id, clearing: field)]) == [.unchanged])
        #expect(try fixture.photo("a") == stored?.photo)
    }

    @Test(arguments: PhotoText.allCases)
    func `a text in another normal form is another text`(text: PhotoText) throws {
        var record = PhotoRecord(id: id)
        record[text] = .set("e\u{301}")
        try fixture.importing([record])
        record[text] = .set("\u{E9}")
        #expect(try fixture.importing([record]) == [.updated])
        #expect(try fixture.photo("a")?[text]?.utf8.count == 2)
    }

    @Test(arguments: PhotoNumber.allCases)
    func `a number outside its range is damage`(number: PhotoNumber) throws {
        try fixture.importing([PhotoRecord(id: id)])
        try fixture.database.write { writer in
            try writer.database.execute(sql: "PRAGMA ignore_check_constraints = 1")
            try writer.database.execute(sql: "UPDATE photo SET \(number.name) = \(number.range.upperBound + 1)")
            try writer.database.execute(sql: "PRAGMA ignore_check_constraints = 0")
        }
        let error = failure { try fixture.photo("a") }
        #expect(error?.code == .corrupt)
        #expect(error?.message.contains("\(number.name) is \(number.range.upperBound + 1)") == true)
        let problems = try fixture.database.read { try $0.fileProblems() }
        #expect(problems.contains { $0.contains("\(number.name)") }, "\(problems)")
    }

    @Test(arguments: PhotoFlag.allCases, [-1, 2, Int64.max])
    func `a flag that is neither 0 nor 1 is damage`(flag: PhotoFlag, value: Int64) throws {
        try fixture.importing([PhotoRecord(id: id)])
        let update = "UPDATE photo SET \(flag.name) = \(value)"
        #expect(throws: (any Error).self) { try fixture.database.write { try $0.database.execute(sql: update) } }
        try fixture.database.write { writer in
            try writer.database.execute(sql: "PRAGMA ignore_check_constraints = 1")
            try writer.database.execute(sql: update)
            try writer.database.execute(sql: "PRAGMA ignore_check_constraints = 0")
        }
        let error = failure { try fixture.photo("a") }
        #expect(error?.code == .corrupt && error?.message.contains("\(flag.name) is \(value)") == true)
        let problems = try fixture.database.read { try $0.fileProblems() }
        #expect(problems.contains { $0.contains("CHECK (\(flag.name) IN (0, 1))") }, "\(problems)")
    }

    private func lastRevision() throws -> Int64? {
        try fixture.database.read { try $0.lastRevision(streamID: fixture.stream.id)?.rawValue }
    }

    private func changed(since revision: Int64) throws -> [PhotoID] {
        try fixture.database.read { try $0.netChanges(streamID: fixture.stream.id, after: revision) }.map(\.id)
    }
}
