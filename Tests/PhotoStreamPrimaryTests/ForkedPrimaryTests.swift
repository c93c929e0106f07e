import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamPrimary
@testable import PhotoStreamStorage

/// The history of a primary forks: everything that servers and clients have seen of the lost part is invalid, and the
/// rest stays.
@Suite(.enabled(if: PostgresServer.isAvailable))
struct ForkedPrimaryTests {
    private static let stream = StreamName(stored: "s")

    private static func answers(_ service: PhotoStreamService) throws -> [String] {
        let key = try LayoutKey(LayoutConfiguration(containerLength: 900))
        return try service.read { session in
            [
                "\(try session.layout(key, of: stream).summary())",
                "\(try session.layout(key, of: stream).page(limit: 9).items)",
                "\(try session.layout(key, of: stream).scrubber(steps: 5))",
                try session.state(of: stream).revision.state,
            ]
        }
    }

    private static func since(
        _ revision: Revision, _ service: PhotoStreamService
    ) throws -> ChangesOrReload<ChangesAnswer> {
        try service.read { try $0.changes(of: stream, since: revision) }
    }

    private static func insert(_ count: Int, named name: String, width: Int) -> String {
        """
        INSERT INTO photo (streamId, externalId, width, height)
        SELECT 1, '\(name)' || i, \(width), 30 FROM generate_series(1, \(count)) i
        """
    }

    @Test(arguments: [0, 5, 9])
    func `values from a lost history are not mistaken for others`(otherCount: Int) throws {
        let server = try PostgresServer()
        let primary = try TestPrimary(on: server)
        try primary.addPhotos(40)
        let replica = try Replica(of: primary.address)
        let service = try PhotoStreamService(
            path: replica.temporary.path, access: .existing, primary: replica.primary
        ) { 1 }
        defer { try? service.close() }
        let follower = Follower(replica.primary, of: service.database, name: "r")
        let early = try service.read { try $0.state(of: Self.stream) }.revision
        try primary.psql(Self.insert(3, named: "kept", width: 60))
        try follower.follow()
        let kept = try service.read { try $0.state(of: Self.stream) }.revision
        try server.keepCopy()
        try primary.psql(Self.insert(5, named: "lost", width: 20))
        try follower.follow()
        _ = try Self.answers(service)
        let lost = try service.read { try $0.state(of: Self.stream) }.revision
        try server.restoreCopy()
        if otherCount > 0 { try primary.psql(Self.insert(otherCount, named: "other", width: 90)) }
        try follower.follow()
        // The same as a server that knows nothing, before the first write and after.
        let new = try Replica(of: primary.address)
        let fresh = try PhotoStreamService(path: new.temporary.path, access: .existing, primary: new.primary) { 1 }
        defer { try? fresh.close() }
        #expect(try Self.answers(service) == Self.answers(fresh))
        for server in [service, fresh] {
            guard case .reload(let reload) = try Self.since(lost, server) else {
                Issue.record("changes since a lost state are listed")
                continue
            }
            #expect([.ahead, .lost].contains(reload.reason))
            // No other client reads again.
            for (revision, count) in [(early, 3 + otherCount), (kept, otherCount)] {
                guard case .changes(let answer) = try Self.since(revision, server) else {
                    Issue.record("a state of the common past is lost")
                    continue
                }
                #expect(answer.changes.count == count && answer.isComplete)
            }
        }
    }

    @Test func `a replica that is built from the end of a long log never passes a part off as the whole`() throws {
        let primary = try TestPrimary()
        try primary.addPhotos(60)
        // As a server of version 0.2.0 left it after a failover.
        let known = try Replica(of: primary.address).database.read { try $0.tagged(10) }
        try primary.psql("UPDATE counter SET revision = revision + 4294967296")
        let replica = try Replica(of: primary.address)
        let service = try PhotoStreamService(
            path: replica.temporary.path, access: .existing, primary: replica.primary
        ) { 1 }
        defer { try? service.close() }
        #expect(try replica.log().count == 60)
        guard case .changes(let answer) = try Self.since(known, service) else {
            Issue.record("the log has all changes")
            return
        }
        #expect(answer.changes.count == 50)
        try primary.psql(Self.insert(1, named: "after", width: 9))
        try Follower(replica.primary, of: service.database, name: "r").follow()
        // The log has a gap, so whether it is complete is not known.
        switch try Self.since(known, service) {
        case .reload(let reload): #expect(reload.reason == .trimmed)
        case .changes(let answer): #expect(answer.changes.count == 51)
        }
    }
}
