import PhotoStreamModel
import PhotoStreamService
import PhotoStreamTestSupport
import Synchronization
import Testing

@testable import PhotoStreamPrimary

/// A primary whose history forks: copies of it take its place, also while a server runs, and its servers come and go.
struct ForkedPrimaryWorld {
    /// A copy of the database, and the writes to its stream.
    private struct Copy {
        let name: String
        let history: [Int]
    }

    /// The states of clients that were compared.
    private(set) var count = ForkCount()
    private var random: SplitMix64
    private let primary: TestPrimary
    private var history: [Int] = []
    private var copies: [Copy] = []
    private var replicas: [TemporaryDatabase]
    private var clients: [ForkClient] = []
    private var lastWrite = 0

    init(seed: UInt64) throws {
        random = SplitMix64(seed: seed)
        primary = try TestPrimary()
        let file = try TemporaryDatabase(following: primary)
        let service = try TestServer.service(file)
        try service.createStream(TestServer.stream)
        try service.createStream(StreamName(stored: "other"))
        try service.close()
        try TestServer.load(SampleRecords.records(6), into: TestServer.stream, of: file)
        replicas = try [file, TemporaryDatabase(following: primary)]
    }

    /// Lets one thing happen to the primary or its servers, and asks a server with everything that clients remember.
    mutating func step() async throws {
        switch random.int(in: 0...6) {
        case 0, 1: try keepCopy()
        case 2, 3: try goBack()
        case 4: replicas[random.int(in: 0...1)] = try TemporaryDatabase(following: primary)
        case 5: return try await askDump()
        default: break
        }
        try writeUnseen()
        let returning = random.int(in: 0...2) == 0 ? copies.randomElement(using: &random) : nil
        try await ask(random.element(of: replicas), returningTo: returning)
    }

    private mutating func keepCopy() throws {
        if copies.count == 3 { try primary.drop(copy: copies.remove(at: random.int(in: 0...2)).name) }
        copies.append(Copy(name: try primary.keepCopy(), history: history))
    }

    private mutating func goBack() throws {
        guard let copy = copies.randomElement(using: &random) else { return }
        try primary.restore(copy: copy.name)
        history = copy.history
    }

    /// Writes by `psql` before a server looks.
    private mutating func writeUnseen() throws {
        for write in (0..<random.int(in: 0...2)).map({ _ in write(of: ForkWrite.Kind.ofOtherPrograms) }) {
            if let sql = write.sql(forPrimary: true) { try primary.psql(sql) }
        }
    }

    /// Asks a server that follows, and once more after a copy has taken the primary's place under it.
    private mutating func ask(_ file: TemporaryDatabase, returningTo copy: Copy?) async throws {
        let remembered = clients
        let writes = (0..<random.int(in: 0...3)).map { _ in write(of: ForkWrite.Kind.allCases) }
        let first = history
        count.add(remembered, history: first)
        let statement = ForkWrite(id: lastWrite + 1, kind: .sql, photo: 0)
        if let copy {
            lastWrite += 1
            history = copy.history + [statement.id]
            count.add(remembered, history: history)
        }
        let (primary, last) = (primary, history)
        let seen = Mutex<[ForkClient]>([])
        let own = try #require(file.primary)
        let service = try TestServer.service(file)
        let follower = Follower(own, of: service.database, name: file.path)
        try await TestServer.with(service, file, follower: follower) { server in
            try Self.follow(follower, of: primary)
            for write in writes { try write.run(server) }
            try Self.follow(follower, of: primary)
            for client in remembered { try client.check(server, now: first) }
            let client = try ForkClient(server, history: first)
            seen.withLock { $0.append(client) }
            guard let copy else { return }
            try primary.restore(copy: copy.name)
            if let sql = statement.sql(forPrimary: true) { try primary.psql(sql) }
            try Self.follow(follower, of: primary)
            for client in remembered + [client] { try client.check(server, now: last) }
            let later = try ForkClient(server, history: last)
            seen.withLock { $0.append(later) }
        }
        remember(seen.withLock { $0 })
    }

    /// Follows as a server does, which tries again when its session was ended, and whose operator accepts that most photos
    /// are gone with the history.
    private static func follow(_ follower: Follower, of primary: TestPrimary) throws {
        for _ in 0..<5 {
            do {
                try follower.follow()
                return
            } catch let refusal as LossRefused {
                try PrimaryAdministration(primary.address).accept(replicasOf: refusal.identity)
            } catch is PrimaryError {
                continue
            }
        }
        try follower.follow()
    }

    /// Queries the server of a file that is a dump.
    private mutating func askDump() async throws {
        let file = try TemporaryDatabase()
        try ReplicaFile.dump(PostgresPrimary(primary.address), to: file.path)
        let (remembered, here) = (clients, history)
        count.add(remembered, history: here)
        let write = ForkWrite(id: lastWrite + 1, kind: .put, photo: 1)
        lastWrite += 1
        let seen = Mutex<[ForkClient]>([])
        try await TestServer.with(TestServer.service(file), file) { server in
            for client in remembered { try client.check(server, now: here) }
            let client = try ForkClient(server, history: here)
            try write.run(server)
            for client in remembered { try client.check(server, now: here + [write.id]) }
            let later = try ForkClient(server, history: here + [write.id])
            seen.withLock { $0 += [client, later] }
        }
        remember(seen.withLock { $0 })
    }

    private mutating func remember(_ seen: [ForkClient]) {
        clients += seen
        while clients.count > 5 {
            // Rather one of a lost history, so that neither side of the law has few clients.
            let lost = clients.indices.filter { !history.starts(with: clients[$0].history) }
            clients.remove(at: lost.count > 2 ? random.element(of: lost) : random.int(in: 0...clients.count - 1))
        }
    }

    /// A write that no other is like, noted in the history.
    private mutating func write(of kinds: [ForkWrite.Kind]) -> ForkWrite {
        lastWrite += 1
        let write = ForkWrite(id: lastWrite, kind: random.element(of: kinds), photo: random.int(in: 0...8))
        if let number = write.number { history.append(number) }
        return write
    }
}
