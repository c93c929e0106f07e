import Dispatch
import Foundation
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamStorage

/// A write is acknowledged only if the file at the path holds it.
@Suite struct OpenFileTests {
    private let fixture: StreamFixture
    private let files = FileManager.default

    init() throws {
        fixture = try StreamFixture()
        try fixture.importing([try record("first")])
    }

    private var path: String { fixture.temporary.path }

    private func writeCode() -> StorageFailure? {
        failure { try fixture.database.write { _ = try $0.createStream(named: StreamName(stored: "late"), now: 8) } }?
            .code
    }

    private func readCode() -> StorageFailure? {
        failure { _ = try fixture.database.read { try $0.streams() } }?.code
    }

    @Test func `a deleted file is read but not written`() throws {
        try files.removeItem(atPath: path)
        #expect(writeCode() == .moved)
        #expect(readCode() == nil)
        #expect(failure { try fixture.importing([try record("second")]) }?.code == .moved)
        #expect(
            failure {
                try fixture.database.deletePhotos([PhotoID("first")], from: fixture.stream.id, now: 1, forever: false)
            }?.code
                == .moved)
    }

    @Test func `a replaced file is neither read nor written until the old one returns`() throws {
        let other = try StreamFixture()
        try other.database.close()
        try files.moveItem(atPath: path, toPath: path + ".away")
        #expect(writeCode() == .moved)
        #expect(readCode() == nil)
        try files.copyItem(atPath: other.temporary.path, toPath: path)
        #expect(writeCode() == .moved)
        #expect(readCode() == .moved)
        try files.removeItem(atPath: path)
        try files.moveItem(atPath: path + ".away", toPath: path)
        #expect(writeCode() == nil)
        #expect(readCode() == nil)
    }

    @Test(arguments: ["-wal", "-shm"])
    func `a file without its companions is not written`(ending: String) throws {
        try files.removeItem(atPath: path + ending)
        #expect(writeCode() == .moved)
    }

    @Test func `a write fails if the file is deleted before the commit`() throws {
        let error = failure {
            try fixture.database.write { writer in
                _ = try writer.createStream(named: StreamName(stored: "late"), now: 8)
                try files.removeItem(atPath: path)
            }
        }
        #expect(error?.code == .moved)
    }

    @Test func `a connection that is opened later reads no other file`() throws {
        let other = try StreamFixture()
        try other.database.close()
        try fixture.database.read { _ in
            // The connection in use is the only one so far: the next read opens another.
            try files.moveItem(atPath: path, toPath: path + ".away")
            try files.copyItem(atPath: other.temporary.path, toPath: path)
            DispatchQueue.global().sync { #expect(readCode() == .moved) }
            try files.removeItem(atPath: path)
            DispatchQueue.global().sync { #expect(readCode() == .moved, "there is no file to open") }
        }
        try files.moveItem(atPath: path + ".away", toPath: path)
        #expect(readCode() == nil)
    }
}
