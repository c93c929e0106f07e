import Crypto
import Foundation
import Logging
import PhotoStreamModel
import PhotoStreamPictureMessages
import PhotoStreamTestSupport
import Synchronization
import Testing

@testable import PhotoStreamPictures

@Suite(.serialized) struct PictureWorkersTests {
    private let temporary: TemporaryDatabase
    private let root: String

    init() throws {
        temporary = try TemporaryDatabase()
        root = URL(filePath: temporary.folder).resolvingSymlinksInPath().path(percentEncoded: false)
        for number in 0..<40 {
            try Data("picture \(number)".utf8).write(to: URL(filePath: "\(root)/\(number).bin"))
        }
    }

    private static let program = BuiltCommand.url.deletingLastPathComponent().appending(path: "photostream-pictures")
        .path(percentEncoded: false)

    /// Runs workers while `body` asks them.
    private func with(
        _ change: (inout PictureWorkers.Settings) -> Void = { _ in }, program: String = Self.program,
        _ body: (PictureWorkers) async throws -> Void
    ) async throws {
        var settings = PictureWorkers.Settings(executablePath: program)
        settings.count = 2
        change(&settings)
        let workers = PictureWorkers(settings, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let running = Task { await workers.run() }
        do {
            try await body(workers)
        } catch {
            running.cancel()
            throw error
        }
        running.cancel()
        await running.value
    }

    private static func content(_ number: UInt8) -> FileContent { FileContent(pictureHash: [number], fileHash: []) }

    private func file(_ number: Int) -> PictureFileName { PictureFileName(root: root, path: "\(number).bin") }

    @Test func `concurrent requests each receive their own answer`() async throws {
        try await with { workers in
            let hashes = await withTaskGroup(of: (Int, Result<FileContent, PictureFailure>).self) { group in
                for number in 0..<200 { group.addTask { (number, await workers.content(of: file(number % 40))) } }
                return await group.reduce(into: [Int: Result<FileContent, PictureFailure>]()) { $0[$1.0] = $1.1 }
            }
            #expect(hashes.count == 200)
            for number in 0..<200 {
                let hash = try #require(try hashes[number]?.get())
                #expect(hash == (try hashes[number % 40]?.get()))
            }
            #expect(Set(try hashes.values.map { try $0.get() }).count == 40)
        }
    }

    @Test func `missing files and other files are reported`() async throws {
        try await with { workers in
            let missing = await workers.content(of: PictureFileName(root: root, path: "none"))
            #expect(missing.failure?.kind == .missing)
            let text = await workers.header(of: file(0), sidecars: [])
            #expect(text.failure?.kind == .notAPicture)
            #expect(text.failure?.reason.contains(root) == false)
        }
    }

    @Test func `every request is answered while workers are killed`() async throws {
        // A different name, so that workers of other tests are left alone.
        let program = "\(root)/photostream-killed"
        try FileManager.default.createSymbolicLink(atPath: program, withDestinationPath: Self.program)
        try await with(program: program) { workers in
            let isEnded = Mutex(false)
            let killer = Task.detached(executorPreference: ThreadExecutor.servers) {
                var count = 0
                while !isEnded.withLock({ $0 }) {
                    for worker in Self.processes(of: program) {
                        kill(worker, SIGKILL)
                        count += 1
                    }
                    // Long enough for a worker to start, most times; the first one is awaited, however soon all is answered.
                    try? await Task.sleep(for: .milliseconds(Int.random(in: 0..<(count == 0 ? 10 : 1_000))))
                }
                return count
            }
            var answers: [(Int, Result<FileContent, PictureFailure>)] = []
            for _ in 0..<20 {
                answers += await withTaskGroup(of: (Int, Result<FileContent, PictureFailure>).self) { group in
                    for number in 0..<40 { group.addTask { (number, await workers.content(of: file(number))) } }
                    return await group.reduce(into: []) { $0.append($1) }
                }
            }
            isEnded.withLock { $0 = true }
            let killCount = await killer.value
            #expect(killCount > 0)
            #expect(answers.count == 800)
            var successCount = 0
            for (number, answer) in answers {
                switch answer {
                case .success(let hash):
                    #expect(hash.fileHash == Array(SHA256.hash(data: Data("picture \(number)".utf8))))
                    successCount += 1
                case .failure(let failure): #expect(failure.kind == .crashed)
                }
            }
            // Only a request that was sent twice can fail, so each kill costs at most one.
            #expect(answers.count - successCount <= killCount && successCount > 0)
            // Replaced workers answer.
            #expect(await workers.content(of: file(1)).failure == nil)
        }
    }

    @Test func `a worker that misses its deadline is killed, and the others continue`() async throws {
        try await with({ $0.deadlineSeconds = 1 }, program: try script("exec sleep 100")) { workers in
            let answer = await workers.content(of: file(0))
            #expect(answer.failure?.kind == .timedOut)
            #expect(answer.failure?.reason == "it took longer than 1 seconds")
        }
    }

    @Test func `a worker that closes its output and continues is killed`() async throws {
        let program = try script("exec sleep 1000 > /dev/null")
        let start = ContinuousClock.now
        try await with(program: program) { workers in
            #expect(await workers.content(of: file(0)).failure?.kind == .crashed)
        }
        #expect(ContinuousClock.now - start < .seconds(60))
    }

    @Test func `killing an idle worker fails no request`() async throws {
        let program = "\(root)/photostream-idle"
        try FileManager.default.createSymbolicLink(atPath: program, withDestinationPath: Self.program)
        try await with({ $0.count = 1 }, program: program) { workers in
            for number in 0..<10 {
                #expect(await workers.content(of: file(number)).failure == nil)
                for worker in Self.processes(of: program) { kill(worker, SIGKILL) }
                let kinds = [ThumbnailKind(.pixels160, as: .webP)]
                let request = DecodeRequest(
                    file: file(number), orientation: nil, thumbnails: kinds, isMeasured: false)
                #expect(await workers.decode(request, urgency: .foreground).failure?.kind != .crashed)
            }
        }
    }

    @Test func `a worker is replaced after a number of decodes`() async throws {
        let program = "\(root)/photostream-recycled"
        try FileManager.default.createSymbolicLink(atPath: program, withDestinationPath: Self.program)
        try await with(
            {
                $0.count = 1
                $0.recycleAfter = 2
            }, program: program
        ) { workers in
            var processes: Set<pid_t> = []
            for number in 0..<6 {
                let request = DecodeRequest(file: file(number), orientation: nil, thumbnails: [], isMeasured: true)
                #expect(await workers.decode(request, urgency: .background).failure?.kind == .notAPicture)
                processes.formUnion(Self.processes(of: program))
            }
            #expect(processes.count >= 2)
        }
    }

    @Test func `only the request that kills its worker fails`() async throws {
        // It answers none: the first request that was sent ahead is sent again alone, then the next.
        try await with({ $0.count = 1 }, program: try script("head -c 1 > /dev/null; kill -9 $$")) { workers in
            await withTaskGroup(of: Result<FileContent, PictureFailure>.self) { group in
                for number in 0..<5 { group.addTask { await workers.content(of: file(number)) } }
                for await answer in group { #expect(answer.failure?.kind == .crashed) }
            }
        }
    }

    @Test func `a caller that is cancelled while a worker has its request returns immediately`() async throws {
        try await with(program: try script("exec sleep 1000")) { workers in
            let caller = Task { await workers.content(of: file(0)) }
            try await Task.sleep(for: .milliseconds(100))
            caller.cancel()
            #expect(await caller.value.failure?.kind == .noWorker)
        }
    }

    @Test func `a worker that sends invalid bytes is killed`() async throws {
        try await with(program: try script("head -c 4 > /dev/null; printf '\\001\\000\\000\\000\\377'; exec sleep 100"))
        {
            #expect(await $0.content(of: file(0)).failure?.kind == .crashed)
        }
    }

    @Test(arguments: ["/nowhere/photostream-pictures", "/bin/false"])
    func `requests are answered immediately if the program cannot be run`(program: String) async throws {
        try await with(program: program) { workers in
            for number in 0..<3 { #expect(await workers.content(of: file(number)).failure?.kind == .noWorker) }
        }
    }

    @Test func `waiting requests are answered at the end, and later ones refused`() async throws {
        let workers = PictureWorkers(
            PictureWorkers.Settings(executablePath: Self.program), logger: Logger(label: "test"))
        let waiting = Task { await workers.content(of: file(0)) }
        let running = Task { await workers.run() }
        running.cancel()
        await running.value
        let first = await waiting.value
        #expect(first.failure == nil || first.failure?.kind == .noWorker)
        #expect(await workers.content(of: file(1)).failure?.kind == .noWorker)
    }

    @Test func `a request of a cancelled caller is dropped`() async throws {
        let queue = WorkerQueue()
        let caller = Task { await queue.answer(to: .hash(file(0)), urgency: .background) }
        caller.cancel()
        #expect(await caller.value == WorkerQueue.noWorker)
        #expect(await queue.next(within: .milliseconds(1)) == nil)
    }

    @Test func `the newest request of a client is first, then the oldest of the others`() async throws {
        let queue = WorkerQueue()
        var callers: [Task<PictureAnswer, Never>] = []
        for (number, urgency) in [(0, Urgency.background), (1, .foreground), (2, .background), (3, .foreground)] {
            let file = file(number)
            callers.append(Task { await queue.answer(to: .hash(file), urgency: urgency) })
            while queue.waitingCount <= number { await Task.yield() }
        }
        for number in [3, 1, 0, 2] {
            let job = try #require(await queue.next())
            #expect(job.request == .hash(file(number)))
            queue.finish(job.id, with: .content(Self.content(UInt8(number))))
        }
        for (number, caller) in callers.enumerated() {
            #expect(await caller.value == .content(Self.content(UInt8(number))))
        }
    }

    /// A program that is a shell script.
    private func script(_ text: String) throws -> String {
        let path = "\(root)/worker-\(UUID().uuidString)"
        try Data("#!/bin/sh\n\(text)\n".utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        return path
    }

    /// The processes that run a program, by the path that they were started with.
    private static func processes(of program: String) -> [pid_t] {
        ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { pid_t($0) }.filter {
            let arguments = try? Data(contentsOf: URL(filePath: "/proc/\($0)/cmdline"))
            return arguments?.prefix { $0 != 0 } == Data(program.utf8)
        }
    }
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
