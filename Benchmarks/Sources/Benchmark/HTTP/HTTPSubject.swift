import Foundation

/// Our server with a file of generated photos, and the requests for it.
struct HTTPSubject {
    /// The maximum number of addresses of a query.
    static let addressCount = 10_000
    /// The number of widths of the first paint: as many as a server keeps in memory.
    private static let widthCount = 50

    let server: ServedProcess
    let folder: URL
    let file: String

    /// Imports photos and starts the server.
    init(_ command: String, count: Int, in folder: URL) throws {
        self.folder = folder
        let (lines, csv) = (folder.appending(path: "photos.jsonl"), folder.appending(path: "photos.csv"))
        try GeneratedPhotos(count: count, dates: .random).write(jsonLines: lines, csv: csv)
        try FileManager.default.removeItem(at: csv)
        file = folder.appending(path: "photos.sqlite").path(percentEncoded: false)
        try Tool.run(
            command, arguments: ["import", "--database", file, "--stream", "bench", lines.path(percentEncoded: false)])
        server = try ServedProcess(command, arguments: ["serve", "--open", "--database", file, "--port", "0"])
    }

    /// Runs every query at its addresses and records the answers.
    func record() throws {
        let client = try SocketClient(port: server.port)
        let layout = "/v1/streams/bench/layout"
        let (pages, ids) = try pages(client, of: layout)
        try RecordedAnswers(in: folder, to: .page).write(pages)
        try RecordedAnswers(in: folder, to: .unchanged).write(pages)
        try record(.binary, at: pages.map { $0.target + "&ids=false" }, by: client)
        try record(.locate, at: ids.map { "\(layout)/locate?width=1200&photo=\($0)" }, by: client)
        let summary = try client.get("\(layout)?width=1200&limit=1", accept: "application/json")
        let height =
            Self.text(named: "height", in: String(decoding: summary.body, as: UTF8.self)).flatMap { Double($0) } ?? 0
        var generator = Generator(seed: 9)
        let rects = (0..<ids.count).map { _ in
            let top = Int(Double(generator.next(1 << 24)) / 0x1p24 * max(0, height - 900))
            return "\(layout)/rect?width=1200&rect=0,\(top),1200,900"
        }
        try record(.rect, at: rects, by: client)
        // Pages of 1 to 199 photos, 100 in the middle, because there are not 10,000 first pages of one length.
        let firsts = (0..<ids.count).map { number in
            "\(layout)?width=\(1_000 + number % Self.widthCount)&first=\(1 + number / Self.widthCount % 199)"
        }
        try record(.firstPaint, at: firsts, by: client)
    }

    /// Writes the addresses of pages, rectangles and look-ups into one file.
    func mixedAddresses() throws -> URL {
        let mix = folder.appending(path: "mix.txt")
        let parts = try [HTTPQuestion.page, .rect, .locate].map {
            try Data(contentsOf: RecordedAnswers(in: folder, to: $0).addresses)
        }
        try parts.reduce(Data(), +).write(to: mix)
        return mix
    }

    /// Walks the stream: a page at each place, and of each page a photo.
    private func pages(_ client: SocketClient, of layout: String) throws -> (pages: [HTTPSample], ids: [String]) {
        var (pages, ids): ([HTTPSample], [String]) = ([], [])
        var target = "\(layout)/page?width=1200"
        while pages.count < Self.addressCount {
            let answer = try client.get(target, accept: HTTPQuestion.page.accept)
            guard answer.status == 200 else { throw Tool.Failure(description: "\(target) got \(answer.status)") }
            let text = String(decoding: answer.body, as: UTF8.self)
            pages.append(HTTPSample(target: target, tag: answer.tag, body: answer.body))
            if let id = Self.text(named: "photo", in: text) { ids.append(id) }
            guard let cursor = Self.text(named: "nextCursor", in: text) else { break }
            target = "\(layout)/page?cursor=\(cursor)"
        }
        return (pages, ids)
    }

    private func record(_ question: HTTPQuestion, at targets: [String], by client: SocketClient) throws {
        let samples = try targets.map { target in
            let answer = try client.get(target, accept: question.accept)
            guard answer.status == 200 else { throw Tool.Failure(description: "\(target) got \(answer.status)") }
            return HTTPSample(target: target, tag: answer.tag, body: answer.body)
        }
        try RecordedAnswers(in: folder, to: question).write(samples)
    }

    /// The value of the first member of a name that is a text or a number.
    private static func text(named name: String, in json: String) -> String? {
        guard let start = json.range(of: "\"\(name)\":") else { return nil }
        let value = json[start.upperBound...].prefix { $0 != "," && $0 != "}" }
        return value == "null" ? nil : value.trimmingCharacters(in: ["\""])
    }
}
