import Foundation
import PhotoStreamModel
import PhotoStreamStorage
import PhotoStreamTestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Permission bits do not restrict root, so these tests run in a separate process without root's rights.
@Suite struct FileCheckTests {
    @Test func `a read-only file can be read but not written`() async throws {
        let path = try preparedFile(fileMode: 0o444, folderMode: 0o777)
        await #expect(processExitsWith: .success) { [path = path as String] in
            becomeNobody()
            let error = failure { try PhotoDatabase(path: path, access: .existing) }
            #expect(error == StorageError(.readOnly, message: "\(path) is read-only: its permissions forbid writing"))
            let database = try PhotoDatabase(path: path, access: .readOnly)
            #expect(try database.read { try $0.streams() }.map(\.name.rawValue) == ["a"])
        }
    }

    @Test func `a file in a read-only folder can be read but not written`() async throws {
        let path = try preparedFile(fileMode: 0o666, folderMode: 0o555)
        await #expect(processExitsWith: .success) { [path = path as String] in
            becomeNobody()
            #expect(failure { try PhotoDatabase(path: path, access: .existing) }?.code == .readOnly)
            let database = try PhotoDatabase(path: path, access: .readOnly)
            #expect(try database.read { try $0.streams() }.map(\.name.rawValue) == ["a"])
        }
    }

    @Test func `the error for a file that cannot be created reports that its folder is read-only`() async throws {
        let path = try preparedFile(fileMode: 0o666, folderMode: 0o555) + ".new"
        await #expect(processExitsWith: .success) { [path = path as String] in
            becomeNobody()
            #expect(failure { try PhotoDatabase(path: path, access: .readWrite) }?.code == .readOnly)
        }
    }

    @Test func `a file that cannot be read is an error`() async throws {
        let path = try preparedFile(fileMode: 0o000, folderMode: 0o777)
        await #expect(processExitsWith: .success) { [path = path as String] in
            becomeNobody()
            let error = failure { try PhotoDatabase(path: path, access: .readOnly) }
            #expect(error == StorageError(.database, message: "\(path) cannot be read: its permissions forbid it"))
        }
    }

    /// The folder is deleted with this value, after the test.
    private let temporary: TemporaryDatabase

    init() throws {
        temporary = try TemporaryDatabase(name: "späße 100%?#.sqlite")
    }

    private func preparedFile(fileMode: Int, folderMode: Int) throws -> String {
        let database = try temporary.open()
        try database.write { try $0.createStream(named: StreamName("a"), now: 1) }
        try database.close()
        let files = FileManager.default
        try files.setAttributes([.posixPermissions: fileMode], ofItemAtPath: temporary.path)
        try files.setAttributes([.posixPermissions: folderMode], ofItemAtPath: temporary.folder)
        return temporary.path
    }
}

/// Gives up root's rights permanently, if there are any.
private func becomeNobody() {
    guard geteuid() == 0 else { return }
    precondition(setgid(65_534) == 0 && setuid(65_534) == 0, "root may change its user")
}
