import CLimits
import Foundation
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService

/// One file with a number of photos, and the questions about it.
struct ScaleSubject {
    let count: Int
    let runs: Int
    let command: String
    let file: String
    private let folder: URL
    private let stream: StreamName
    private let masonry: LayoutKey
    private let byDay: LayoutKey

    init(count: Int, runs: Int, command: String, _ folder: URL) throws {
        self.count = count
        self.runs = runs
        self.command = command
        self.folder = folder
        file = folder.appending(path: "photos.sqlite").path(percentEncoded: false)
        stream = try StreamName("bench")
        masonry = try LayoutKey(LayoutConfiguration(containerLength: 1_200))
        byDay = try LayoutKey(
            LayoutConfiguration(
                containerLength: 1_200,
                sections: SectionParameters(sectioning: .day, headerReferenceSize: 40)))
    }

    func measure(into table: inout ScaleTable) throws {
        try load(&table)
        try measureFolds(&table)
        try measureOpening(&table)
        try measureQuestions(&table)
        try measureEdits(&table)
        try measureBytes(&table)
        try measureLocks(&table)
        try measureServer(&table)
        table.add("memory of a process that did all of the above", in: "MB", value: Double(table.peakMemory))
    }

    /// Nanoseconds, a median.
    private func time(runs: Int? = nil, _ body: () throws -> Void) throws -> Double {
        try withoutActuallyEscaping(body) { try medians(runs: runs ?? self.runs, [$0])[0] }
    }

    private func open() throws -> PhotoStreamService {
        try PhotoStreamService(path: file, access: .existing, now: { Int64(Date().timeIntervalSince1970 * 1_000) })
    }

    private func load(_ table: inout ScaleTable) throws {
        let (lines, csv) = (folder.appending(path: "photos.jsonl"), folder.appending(path: "photos.csv"))
        try GeneratedPhotos(count: count, dates: .random).write(jsonLines: lines, csv: csv)
        try FileManager.default.removeItem(at: csv)
        let source = lines.path(percentEncoded: false)
        let duration = try time(runs: 1) {
            try Tool.run(command, arguments: ["import", "--database", file, "--stream", "bench", source])
        }
        try FileManager.default.removeItem(at: lines)
        table.add("import, the whole command", in: "us/photo", perPhoto: true, value: duration / 1e3 / Double(count))
        let size = try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int ?? 0
        table.add("file without layouts", in: "B/photo", perPhoto: true, value: Double(size) / Double(count))
    }

    private func measureFolds(_ table: inout ScaleTable) throws {
        func perPhoto(_ name: String, nanoseconds: Double) {
            table.add(name, in: "ns/photo", perPhoto: true, value: nanoseconds / Double(count))
        }
        var bytes: Int64 = 0
        let sql = "SELECT metrics FROM chunkContent ORDER BY chunkId"
        perPhoto(
            "limit: the same blobs read by SQLite in C", nanoseconds: try time { bytes = limit_read_blobs(file, sql) })
        precondition(bytes == 8 * count, "the blobs are not those of all photos")
        let from = [UInt8](repeating: 1, count: 8 * count)
        let to = UnsafeMutableRawPointer.allocate(byteCount: 8 * count, alignment: 8)
        defer { to.deallocate() }
        perPhoto(
            "limit: memcpy of the same bytes", nanoseconds: try time { to.copyMemory(from: from, byteCount: 8 * count) }
        )
        var width = 1_000.0
        for (name, algorithm) in [
            ("a new width of masonry, content size", LayoutConfiguration.Algorithm.masonry(MasonryParameters())),
            ("a new width of justified lines", .justified(JustifiedParameters(targetLineHeight: 235))),
        ] {
            let service = try open()
            perPhoto(
                name,
                nanoseconds: try time {
                    width += 1
                    let key = try LayoutKey(LayoutConfiguration(containerLength: width, algorithm: algorithm))
                    let answer = try service.read { try $0.layout(key, of: stream).summary() }
                    precondition(answer.count == count, "photos are missing")
                })
            try service.close()
        }
    }

    private func measureOpening(_ table: inout ScaleTable) throws {
        func ms(_ name: String, nanoseconds: Double) { table.add(name, in: "ms", value: nanoseconds / 1e6) }
        ms(
            "first page of an unknown width, new service",
            nanoseconds: try time {
                let service = try open()
                let page = try service.read { try $0.layout(masonry, of: stream).page() }
                precondition(page.items.count == 100, "a page is not full")
                try service.close()
            })
        let service = try open()
        for key in [masonry, byDay] { _ = try service.warm(stream, layout: key) }
        try service.close()
        ms(
            "content size of a stored layout, new service",
            nanoseconds: try time {
                let service = try open()
                _ = try service.read { try $0.layout(masonry, of: stream).summary(sectionLimit: 1) }
                try service.close()
            })
        let page = ["page", "--database", file, "--stream", "bench", "--width", "1200", "--json"]
        ms("a process: first page", nanoseconds: try time { try Tool.run(command, arguments: page) })
        let layout = ["layout", "--database", file, "--stream", "bench", "--width", "1200", "--json"]
        ms("a process: content size, stored", nanoseconds: try time { try Tool.run(command, arguments: layout) })
    }

    private func measureQuestions(_ table: inout ScaleTable) throws {
        let service = try open()
        let height = try masonry.displayScale.points(
            service.read { try $0.layout(masonry, of: stream).summary() }.context.contentSize
        ).height
        var generator = Generator(seed: 9)
        func fraction() -> Double { Double(generator.next(1 << 24)) / 0x1p24 }
        func index() -> Int { min(count - 1, Int(fraction() * Double(count))) }
        // Cursors and ids from all over the stream, found by their positions.
        var (cursors, ids): ([String], [PhotoID]) = ([], [])
        for _ in 0..<500 {
            let rect = Rect(x: 0, y: fraction() * (height - 900), width: 1_200, height: 900)
            let answer = try service.read { try $0.layout(masonry, of: stream).rect(.first(in: rect), limit: 1) }
            ids.append(answer.items[0].photo.id)
        }
        var page = try service.read { try $0.layout(masonry, of: stream).page(limit: 1_000) }
        while let cursor = page.nextCursor, cursors.count < 500 {
            cursors.append(cursor)
            page = try service.read { try $0.layout(masonry, of: stream).page(.after(cursor), limit: 1_000) }
        }
        let questions = 200
        func us(_ name: String, question: () throws -> Void) throws {
            let duration = try time { for _ in 0..<questions { try question() } }
            table.add(name, in: "us", value: duration / 1e3 / Double(questions))
        }
        try us("page of 100, random cursor") {
            let page = try service.read {
                try $0.layout(masonry, of: stream).page(.after(cursors[generator.next(cursors.count)]))
            }
            precondition(!page.items.isEmpty, "a page is empty")
        }
        try us("rectangle of a screen, random") {
            let rect = Rect(x: 0, y: fraction() * (height - 900), width: 1_200, height: 900)
            let answer = try service.read { try $0.layout(masonry, of: stream).rect(.first(in: rect)) }
            precondition(!answer.items.isEmpty, "a rectangle is empty")
        }
        try us("item by index, random") {
            let place = index()
            let answer = try service.read { try $0.layout(masonry, of: stream).item(at: place) }
            precondition(answer.item.attributes.index == place, "another item")
        }
        try us("look-up of a photo by id") {
            let id = ids[generator.next(ids.count)]
            let answer = try service.read { try $0.layout(masonry, of: stream).locate(id) }
            precondition(answer.item.photo.id == id, "another photo")
        }
        try us("scrubber of 100 steps") {
            _ = try service.read { try $0.layout(masonry, of: stream).scrubber(steps: 100) }
        }
        try service.close()
    }

    private func measureEdits(_ table: inout ScaleTable) throws {
        let service = try open()
        for (name, key) in [("by day", byDay), ("one masonry", masonry)] {
            _ = try service.read { try $0.layout(key, of: stream).summary(sectionLimit: 1) }
            try service.storeDerived()
            var (answers, stores, updates): ([Double], [Double], [Double]) = ([], [], [])
            let before = service.work
            for number in 0..<max(5, runs) {
                let revision = try service.read { try $0.layout(key, of: stream).summary(sectionLimit: 1) }.context
                    .revision
                try insertAtHead("\(name)-\(number)")
                answers.append(
                    try time(runs: 1) {
                        let page = try service.read { try $0.layout(key, of: stream).page() }
                        let layout = try service.read { try $0.layout(key, of: stream).summary(sectionLimit: 1) }
                        precondition(
                            page.context.revision == layout.context.revision && revision != page.context.revision)
                    })
                updates.append(
                    try time(runs: 1) {
                        let rect = Rect(x: 0, y: 0, width: 1_200, height: 900)
                        _ = try service.read { try $0.layout(key, of: stream).updates(since: revision, in: rect) }
                    })
                stores.append(try time(runs: 1) { try service.storeDerived() })
            }
            func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] / 1e3 }
            table.add("a photo at the head, \(name): page and content size", in: "us", value: median(answers))
            table.add("updates since the edit, \(name)", in: "us", value: median(updates))
            table.add("storing the result, \(name)", in: "us", value: median(stores))
            let folded = service.work.foldedChunkCount - before.foldedChunkCount
            table.add("chunks folded, \(name)", in: "", value: Double(folded) / Double(answers.count))
        }
        try service.close()
    }

    private func insertAtHead(_ id: String) throws {
        // A separate process, so that the one that answers detects the change by itself.
        let record = "{\"id\":\"\(id)\",\"width\":3000,\"height\":2000,\"takenAt\":\"2039-01-01T00:00:00Z\"}\n"
        let source = folder.appending(path: "one.jsonl")
        try Data(record.utf8).write(to: source)
        try Tool.run(
            command,
            arguments: ["import", "--database", file, "--stream", "bench", source.path(percentEncoded: false)])
    }

    private func measureBytes(_ table: inout ScaleTable) throws {
        let service = try open()
        // Spans, since their frames are stored.
        let spans = MasonryParameters(spanWiderThan: 1.4)
        let key = try LayoutKey(LayoutConfiguration(containerLength: 1_203, algorithm: .masonry(spans)))
        _ = try service.warm(stream, layout: key)
        func bytes() throws -> Double {
            let layout = try service.cacheStatus().layouts.first { $0.layoutKey == key.description }
            return Double(layout?.byteCount ?? 0) / Double(count)
        }
        table.add("a kept layout: checkpoints", in: "B/photo", perPhoto: true, value: try bytes())
        for index in stride(from: 0, to: count, by: 500) {
            _ = try service.read { try $0.layout(key, of: stream).item(at: index) }
            // A service keeps 1 MiB of frames for a layout until they are stored.
            if index % 100_000 == 0 { try service.storeDerived() }
        }
        try service.storeDerived()
        table.add("a kept layout: checkpoints and all frames", in: "B/photo", perPhoto: true, value: try bytes())
        try service.close()
    }

    private func measureLocks(_ table: inout ScaleTable) throws {
        let service = try open()
        func ms(_ name: String, body: () throws -> Void) throws {
            table.add(name, in: "ms", value: try LockProbe(file).longestWait(during: body) / 1e6)
        }
        try ms("longest wait of another writer while everything is cleared") { try service.clearDerived() }
        try ms("the same while it is computed again and stored") { _ = try service.warm(stream, layout: masonry) }
        try service.close()
    }

    private func measureServer(_ table: inout ScaleTable) throws {
        let server = try ServedProcess(command, arguments: ["serve", "--open", "--database", file, "--port", "0"])
        defer { server.stop() }
        let client = try SocketClient(port: server.port)
        var generator = Generator(seed: 11)
        // All photos of the smaller files, and as many of the larger ones as a client would page through in hours.
        for number in 0..<10_000 {
            let first = Int(Double(generator.next(1 << 24)) / 0x1p24 * Double(count - 100))
            let question =
                number.isMultiple(of: 2) ? "items?from=\(first)&count=100&" : "rect?rect=0,\(50 * first),1200,900&"
            let answer = try client.get(
                "/v1/streams/bench/layout/\(question)width=1200", accept: HTTPQuestion.page.accept)
            guard answer.status == 200 else { throw Tool.Failure(description: "\(question) got \(answer.status)") }
        }
        table.add(
            "memory of a server after 10,000 questions, mapped files included", in: "MB",
            value: try Double(server.peakMemory()))
        table.add("of that, its own", in: "MB", value: try Double(server.ownMemory()))
    }
}
