import ArgumentParser
import Foundation
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService

/// Layouts of the photos that meet a condition, against a plain filter of all records.
struct ViewsBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "views",
        abstract: "Layouts of the photos that meet a condition: by attributes, by words; facets; after an edit.")

    @Option(help: "How many photos.")
    var count = 1_000_000

    @Option(help: "How many conditions of each kind are asked.")
    var runs = 9

    @Option(help: "A file with a caption on each line; default is sentences of 2,000 made-up words.")
    var captions: String?

    @Option(help: "The photostream command; default is the main package's release build.")
    var photostream: String?

    func run() throws {
        let command = try Tool.photostream(photostream)
        try Tool.withFolder { folder in
            let photos = try DescribedPhotos(count: count, captions: captions)
            let lines = folder.appending(path: "photos.jsonl")
            try photos.write(to: lines)
            let file = folder.appending(path: "views.sqlite").path(percentEncoded: false)
            let source = lines.path(percentEncoded: false)
            let imported = try ContinuousClock().measure {
                try Tool.run(command, arguments: ["import", "--database", file, "--stream", "bench", source])
            }
            try measure(photos, file: file, importing: imported)
        }
    }

    private func measure(_ photos: DescribedPhotos, file: String, importing: Duration) throws {
        let service = try PhotoStreamService(path: file, access: .existing, now: { 0 })
        let stream = try StreamName("bench")
        let key = try LayoutKey(LayoutConfiguration(containerLength: 1_200))
        let clock = ContinuousClock()
        let bytes = { (try? FileManager.default.attributesOfItem(atPath: file)[.size] as? Int) ?? 0 }
        _ = try service.read { try $0.layout(key, of: stream).summary() }
        try service.storeDerived()
        let packing = try clock.measure { while try service.packSomeAttributes() {} }
        let before = bytes()
        let indexing = try clock.measure { while try service.indexSomeWords() {} }
        print("\(photos.all.count) photos; milliseconds, medians of \(runs) different conditions")
        print(
            "import", cell(importing.nanoseconds / 1e9), "s; attributes", cell(packing.nanoseconds / 1e9), "s; words",
            cell(indexing.nanoseconds / 1e9), "s,", (bytes() - before) / photos.all.count, "bytes a photo")
        print("condition                     photos    layout      page     plain filter    facets")
        for kind in DescribedPhotos.Kind.allCases {
            var (layouts, pages, filters, facets, counts): ([Duration], [Duration], [Duration], [Duration], [Int]) =
                ([], [], [], [], [])
            for run in 0..<runs {
                let (text, isMet) = photos.condition(kind, number: run)
                let condition = try Condition(parsing: text)
                var expected: [Int] = []
                filters.append(clock.measure { expected = photos.all.indices.filter { isMet(photos.all[$0]) } })
                var count = 0
                layouts.append(
                    try clock.measure {
                        count = try service.read { try $0.layout(key, of: stream, where: condition).summary().count }
                    })
                var ids: [String] = []
                pages.append(
                    try clock.measure {
                        ids = try service.read { session in
                            try session.layout(key, of: stream, where: condition).page(limit: 100).items
                                .map(\.photo.id.rawValue)
                        }
                    })
                facets.append(
                    try clock.measure { _ = try service.read { try $0.facets(of: stream, where: condition) } })
                // The newest come first.
                let first = expected.suffix(100).reversed().map(DescribedPhotos.id)
                guard count == expected.count, ids == first else {
                    throw ValidationError("\(text): \(count) photos, not \(expected.count)")
                }
                counts.append(count)
            }
            print(
                kind.rawValue.padding(toLength: 26, withPad: " ", startingAt: 0),
                cell(Double(counts.sorted()[runs / 2]), places: 0), cell(median(layouts) / 1e6, places: 1),
                cell(median(pages) / 1e6, places: 1), cell(median(filters) / 1e6, places: 1, width: 12),
                cell(median(facets) / 1e6, places: 1, width: 13))
        }
        print(
            "after one edit", cell(try afterEdit(service, stream: stream, key: key) / 1e6, places: 2),
            "for a layout that was there")
    }

    /// Nanoseconds until the layout of a view is up to date again after one edit.
    private func afterEdit(_ service: PhotoStreamService, stream: StreamName, key: LayoutKey) throws -> Double {
        let condition = try Condition(parsing: "rating:>=4")
        var durations: [Duration] = []
        for run in 0..<runs {
            _ = try service.read { try $0.layout(key, of: stream, where: condition).summary() }
            var record = PhotoRecord(id: try PhotoID(DescribedPhotos.id(run * 1_000)))
            record.rating = .set(run % 2 == 0 ? 5 : 1)
            try service.edit(record, in: stream)
            durations.append(
                try ContinuousClock().measure {
                    _ = try service.read { try $0.layout(key, of: stream, where: condition).summary() }
                })
            try service.storeDerived()
        }
        return median(durations)
    }
}

/// Generated photos with what conditions read.
struct DescribedPhotos {
    struct Described {
        var caption: String
        var words: Set<Substring>
        var tags: [String]
        var camera: String
        var rating: Int
        var year: Int
    }

    enum Kind: String, CaseIterable {
        case rating, tag, year = "year and rating", tags = "two tags or a camera", without = "without a tag"
        case frequent = "a frequent word", rare = "two words", beginning = "the beginning of a word"
    }

    private(set) var all: [Described] = []
    private let frequent: [Substring]

    static func id(_ number: Int) -> String { "photo-\(number)" }

    init(count: Int, captions: String?) throws {
        var generator = Generator(seed: 7)
        var texts: [String] = []
        if let captions {
            texts = try String(contentsOfFile: captions, encoding: .utf8).split(separator: "\n").map {
                $0.lowercased().filter { $0.isASCII && ($0.isLetter || $0 == " ") }
            }
        } else {
            for _ in 0..<10_000 {
                // Few words are frequent, as in any language.
                texts.append(
                    (0..<10).map { _ in "w\(generator.next(1 + generator.next(1 + generator.next(2_000))))x" }
                        .joined(separator: " "))
            }
        }
        let cameras = ["canon eos", "nikon z", "fuji x", "pixel", "iphone"]
        all.reserveCapacity(count)
        for number in 0..<count {
            let caption = texts[generator.next(texts.count)]
            let tags = (0..<generator.next(4)).map { _ in "tag\(generator.next(1 + generator.next(200)))" }
            all.append(
                Described(
                    caption: caption, words: Set(caption.split(separator: " ")), tags: tags,
                    camera: cameras[(number / 5_000 + generator.next(2)) % cameras.count], rating: generator.next(6),
                    year: CivilYear.year(of: Self.time(number))))
        }
        var counts: [Substring: Int] = [:]
        for photo in all.prefix(20_000) { for word in photo.words { counts[word, default: 0] += 1 } }
        frequent = counts.sorted { ($0.value, $1.key) > ($1.value, $0.key) }.map(\.key)
    }

    private static func time(_ number: Int) -> Int { 1_100_000_000 + number * 640 }

    func write(to url: URL) throws {
        var generator = Generator()
        try Data().write(to: url)
        let file = try FileHandle(forWritingTo: url)
        var lines = ""
        for (number, photo) in all.enumerated() {
            let size = generator.size()
            lines += """
                {"id":"\(Self.id(number))","width":\(size.width),"height":\(size.height),"takenAt":\(Self.time(number)),\
                "caption":"\(photo.caption)","tags":[\(photo.tags.map { "\"\($0)\"" }.joined(separator: ","))],\
                "camera":"\(photo.camera)","rating":\(photo.rating),"location":"\(photo.year)/IMG_\(number % 10_000).jpg"}\n
                """
            if number % 10_000 == 9_999 || number == all.count - 1 {
                try file.write(contentsOf: Data(lines.utf8))
                lines = ""
            }
        }
        try file.close()
    }

    /// A condition, another one for each number, and the same as a function.
    func condition(_ kind: Kind, number: Int) -> (text: String, isMet: (Described) -> Bool) {
        let tag = "tag\(number)"
        let year = 2_006 + number
        let (word, other) = (frequent[number], frequent[30 + number])
        switch kind {
        case .rating:
            let (low, high) = (number % 3, 3 + number % 2)
            return ("rating:\(low)..\(high) -tag:none\(number)", { (low...high).contains($0.rating) })
        case .tag: return ("tag:\(tag)", { $0.tags.contains(tag) })
        case .year: return ("taken:\(year) rating:>=3", { $0.year == year && $0.rating >= 3 })
        case .tags:
            return (
                "tag:\(tag) OR tag:tag9\(number) OR camera:pixel",
                { $0.tags.contains(tag) || $0.tags.contains("tag9\(number)") || $0.camera == "pixel" }
            )
        case .without: return ("-tag:\(tag)", { !$0.tags.contains(tag) })
        case .frequent: return ("\(word)", { $0.words.contains(word) })
        case .rare: return ("\(word) \(other)", { $0.words.contains(word) && $0.words.contains(other) })
        case .beginning:
            let beginning = String(other.prefix(3))
            // The folder, the camera and the tags are words too.
            return (
                "text:\(beginning)*", { photo in photo.words.contains { $0.hasPrefix(beginning) } }
            )
        }
    }
}

/// The calendar of the generated photos.
private enum CivilYear {
    private static let calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }()

    static func year(of seconds: Int) -> Int {
        calendar.component(.year, from: Date(timeIntervalSince1970: Double(seconds)))
    }
}
