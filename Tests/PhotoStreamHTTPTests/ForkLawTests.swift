import Foundation
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamStorage
import PhotoStreamTestSupport
import Synchronization
import Testing

/// A state names one content for ever: the history of a file forks at random, by copies, snapshots of the disk, backups and
/// restores, and every conditional answer is compared with that to a client that knows nothing.
///
/// `PHOTOSTREAM_FORKS` sets the number of forks for each seed.
@Suite struct ForkLawTests {
    private static let forkCount = ProcessInfo.processInfo.environment["PHOTOSTREAM_FORKS"].flatMap(Int.init) ?? 15

    @Test(.withoutPrimary, arguments: [1, 2, 3] as [UInt64])
    func `no validator matches a state that never existed`(seed: UInt64) async throws {
        var world = try ForkedWorld(seed: seed)
        for _ in 0..<Self.forkCount { try await world.step() }
        world.count.expectBothSides(forks: Self.forkCount)
    }

    @Test(.enabled(if: PostgresServer.isAvailable), .withoutPrimary, arguments: [1, 2, 3] as [UInt64])
    func `no validator of any server of a primary matches a state that never existed`(seed: UInt64) async throws {
        var world = try ForkedPrimaryWorld(seed: seed)
        for _ in 0..<Self.forkCount { try await world.step() }
        world.count.expectBothSides(forks: Self.forkCount)
    }
}

/// The number of client states that were sent to servers.
struct ForkCount {
    private var known = 0
    private var lost = 0

    /// Counts the states of clients that ask about a history.
    mutating func add(_ clients: [ForkClient], history: [Int]) {
        for client in clients {
            if history.starts(with: client.history) { known += 1 } else { lost += 1 }
        }
    }

    /// Neither side of the law is checked by a few cases only; few forks vary more.
    func expectBothSides(forks: Int) {
        let tenths = forks < 100 ? 2 : 3
        #expect(
            10 * known >= tenths * (known + lost) && 10 * lost >= tenths * (known + lost),
            "\(known) known, \(lost) lost")
    }
}

/// Files whose histories have a common past, and clients that have seen them.
private struct ForkedWorld {
    /// A file, and the writes to its stream, each with a unique number: equal beginnings are a common past.
    struct Branch {
        let file: TemporaryDatabase
        var history: [Int]
    }

    /// The states of clients that were compared.
    private(set) var count = ForkCount()
    private var random: SplitMix64
    private var branches: [Branch]
    private var clients: [ForkClient] = []
    private var lastWrite = 0

    init(seed: UInt64) throws {
        random = SplitMix64(seed: seed)
        let file = try TemporaryDatabase()
        let service = try TestServer.service(file)
        try service.createStream(TestServer.stream)
        try service.createStream(StreamName(stored: "other"))
        try service.close()
        try TestServer.load(SampleRecords.records(6), into: TestServer.stream, of: file)
        branches = [Branch(file: file, history: [])]
    }

    /// Forks a history, writes to one of the files, and sends it everything that clients remember.
    mutating func step() async throws {
        try fork()
        let position = random.int(in: 0...branches.count - 1)
        let writes = (0..<random.int(in: 0...3)).map { _ in write() }
        branches[position].history += writes.compactMap(\.number)
        let (branch, remembered) = (branches[position], clients)
        count.add(remembered, history: branch.history)
        let seen = Mutex<ForkClient?>(nil)
        try await TestServer.with(TestServer.service(branch.file), branch.file) { server in
            for write in writes { try write.run(server) }
            for client in remembered { try client.check(server, now: branch.history) }
            let client = try ForkClient(server, history: branch.history)
            try client.check(server, now: branch.history)
            seen.withLock { $0 = client }
        }
        if let client = seen.withLock({ $0 }) { clients.append(client) }
        if clients.count > 6 { clients.remove(at: random.int(in: 0...clients.count - 1)) }
    }

    private mutating func fork() throws {
        let source = random.element(of: branches)
        let target = branches.count < 4 ? nil : random.int(in: 0...branches.count - 1)
        if let target, branches[target].file.path == source.file.path { return }
        let file = try target.map { branches[$0].file } ?? TemporaryDatabase()
        switch random.int(in: 0...2) {
        case 0:
            for ending in ["", "-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: file.path + ending)
                guard FileManager.default.fileExists(atPath: source.file.path + ending) else { continue }
                try FileManager.default.copyItem(
                    atPath: source.file.path + ending, toPath: file.path + ending)
            }
        case 1:
            for ending in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file.path + ending) }
            try PhotoStreamService.backUp(source.file.path, to: file.path)
        default:
            let backup = file.folder + "/backup-\(lastWrite)-\(random.next())"
            try PhotoStreamService.backUp(source.file.path, to: backup)
            _ = try PhotoStreamService.restore(
                file.path, from: backup, through: file.folder + "/copy-\(random.next())", replaces: true)
        }
        let branch = Branch(file: file, history: source.history)
        if let target { branches[target] = branch } else { branches.append(branch) }
    }

    private mutating func write() -> ForkWrite {
        lastWrite += 1
        let kind = random.element(of: ForkWrite.Kind.allCases)
        return ForkWrite(id: lastWrite, kind: kind, photo: random.int(in: 0...8))
    }
}
