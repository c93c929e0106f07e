import Foundation
import Testing

#if canImport(FoundationXML)
import FoundationXML
#endif

@Suite struct RenderCommandTests {
    private let photostream: Command
    private let layout = ["--stream", "demo", "--width", "900", "--caption-extent", "40", "--content-inset", "9,9,9,9"]

    init() throws { photostream = try Command() }

    @Test func `a picture is XML and contains each index and caption`() throws {
        try photostream.importSamples()
        try photostream.write(
            "more.jsonl",
            #"{"id":"<&>\"'","width":3,"height":2,"caption":"a <b> & \"c\" \u0001\u001b[31m\uFFFE ]]> d\ne"}"# + "\n")
        try photostream("import", "--stream", "demo", "more.jsonl")
        let outcome = try photostream.run(["render", "--output", "demo.svg"] + layout)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.hasPrefix("wrote demo.svg: 121 photos"), "\(outcome.output)")
        let drawing = try Drawing(Data(contentsOf: photostream.url("demo.svg")))
        let list = try photostream("photos", "--stream", "demo", "--limit", "1000", "--json").json
        let photos = try #require(list["photos"] as? [[String: Any]])
        #expect(drawing.titles.count == photos.count + 1)
        for (index, photo) in photos.enumerated() {
            #expect(drawing.texts.contains(String(index)))
            guard let caption = photo["caption"] as? String, photo["id"] as? String != "<&>\"'" else { continue }
            let plain = caption.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(drawing.titles.contains { $0.hasSuffix(plain) }, "\(caption)")
        }
        #expect(drawing.titles.contains { $0.hasSuffix("a <b> & \"c\" [31m ]]> d e") })
        #expect(drawing.root["viewBox"]?.hasPrefix("0 0 900 ") == true)
        #expect(drawing.root["width"] == "900")
        #expect(try photostream.files.allSatisfy { !$0.hasSuffix(".partial") })
    }

    @Test func `a rectangle shows the elements that intersect it, and the whole content starts at its top`() throws {
        try photostream.importSamples()
        let part = try photostream.run(["render", "--output", "p.svg", "--rect", "0,500,1e9,600", "--json"] + layout)
        let rect = try photostream.run(["rect", "--rect", "0,500,900,600", "--json"] + layout).json
        #expect(try part.json["count"] as? Int == (rect["items"] as? [Any])?.count)
        #expect((try part.json["rect"] as? [String: Any])?["width"] as? Double == 900)
        let outside = try photostream.run(["render", "--output", "p.svg", "--rect", "0,1e8,100,100"] + layout)
        #expect(outside.status == 1)
        #expect(outside.errors.contains("is outside the content"), "\(outside.errors)")
        let long = try photostream.run(["render", "--output", "l.svg", "--columns", "1"] + layout)
        #expect(long.errors.contains("the first 20,000 points"), "\(long.errors)")
    }

    @Test func `a map shows the world under its photos, and later photos above earlier ones`() throws {
        let rows = [
            #"{"id":"a","width":3,"height":2,"takenAt":"2026-01-03","latitude":48.2,"longitude":16.4}"#,
            #"{"id":"b","width":3,"height":2,"takenAt":"2026-01-02"}"#,
            #"{"id":"c","width":3,"height":2,"takenAt":"2026-01-01","latitude":48.2,"longitude":16.4}"#,
        ]
        try photostream.write("places.jsonl", rows.map { $0 + "\n" }.joined())
        try photostream("import", "--stream", "demo", "places.jsonl")
        let map = ["--stream", "demo", "--width", "300", "--algorithm", "map", "--header-size", "20", "--pin-headers"]
        let outcome = try photostream.run(
            ["render", "--output", "map.svg", "--section-background", "--badge-size", "9,9"] + map)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let text = try photostream.text("map.svg")
        let places = ["section-background", "world", ">0 a<", ">2 c<", "section-header"].map {
            text.range(of: $0.hasPrefix(">") ? $0 : "class=\"\($0)\"")?.lowerBound
        }
        #expect(places.allSatisfy { $0 != nil })
        #expect(zip(places.compactMap(\.self), places.compactMap(\.self).dropFirst()).allSatisfy { $0 < $1 })
        #expect(text.contains(">Map · 2 photos<") && text.contains(">Without a place · 1 photo<"))
        let answer = try photostream.run(["layout", "--json"] + map).json
        let world = try #require(answer["world"] as? [String: Double])
        #expect(world == ["x": 22, "y": 42, "width": 1_024, "height": 1_024])
        let item = try photostream.run(["item", "--at", "581,397", "--json"] + map).json
        #expect((item["item"] as? [String: Any])?["photo"] as? String == "c")
        // At a great zoom the first part of the world is drawn, not all of it.
        let large = try photostream.run(["render", "--output", "large.svg", "--zoom", "15"] + map)
        #expect(large.output.contains("20000 × 20000 points at 0, 0"), "\(large.output)")
        #expect(large.errors.contains("the first 20,000 points"), "\(large.errors)")
    }

    @Test(arguments: ["masonry", "flow", "justified", "grid"], ["vertical", "horizontal"])
    func `a picture has every element of the rectangle, lower levels first`(
        algorithm: String, axis: String
    ) throws {
        try photostream.importSamples()
        var layout = [
            "--stream", "demo", axis == "vertical" ? "--width" : "--height", "300", "--scroll-direction", axis,
            "--algorithm", algorithm, "--section-by", "year", "--header-size", "30", "--footer-size", "20",
            "--section-background", "--badge-size", "12,12", "--line-spacing", "6", "--pin-headers",
        ]
        if algorithm != "masonry" { layout += ["--separator-thickness", "1"] }
        let rect = try photostream.run(["rect", "--rect", "50,50,600,600", "--json"] + layout).json
        let elements = try #require(rect["elements"] as? [[String: Any]])
        let kinds = elements.compactMap { $0["kind"] as? String }
        #expect(Set(kinds).isSuperset(of: ["section-background", "section-header", "badge"]))
        #expect(algorithm == "masonry" || kinds.contains("separator"))
        let outcome = try photostream.run(["render", "--output", "e.svg", "--rect", "50,50,600,600"] + layout)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("\(elements.count) other elements"), "\(outcome.output)")
        let drawing = try Drawing(Data(contentsOf: photostream.url("e.svg")))
        #expect(drawing.classes.filter { $0 != "item" }.sorted() == kinds.sorted())
        #expect(drawing.classes.filter { $0 == "item" }.count == (rect["items"] as? [Any])?.count)
        let levels = ["section-background": -1, "item": 0, "separator": 1, "badge": 2]
        let drawn = drawing.classes.map { levels[$0] ?? 3 }
        #expect(drawn == drawn.sorted())
    }

    @Test func `headers name their section in words, a header of an undivided stream the stream`() throws {
        try photostream.importSamples()
        let titles = ["day": "1 February 2026", "month": "February 2026", "year": "2026", "none": "demo"]
        for (unit, title) in titles {
            let sections = ["--section-by", unit, "--header-size", "30"]
            let layout = layout + ["--algorithm", "grid", "--columns", "30"] + sections
            try photostream.run(["render", "--output", "h.svg"] + layout)
            let drawing = try Drawing(Data(contentsOf: photostream.url("h.svg")))
            #expect(drawing.texts.contains { $0.hasPrefix("\(title) · ") })
            #expect(drawing.texts.contains { $0.hasPrefix("Undated · ") } == (unit != "none"))
        }
    }

    @Test func `without a rectangle, content that scrolls sideways is cut at the end of reading`() throws {
        try photostream.importSamples()
        let layout = ["--stream", "demo", "--height", "900", "--scroll-direction", "horizontal", "--columns", "1"]
        for direction in ["left-to-right", "right-to-left"] {
            let arguments = layout + ["--layout-direction", direction]
            let whole = try photostream.run(["layout", "--json"] + arguments).json
            let size = try #require(whole["contentSize"] as? [String: Double])
            let width = try #require(size["width"])
            try #require(width > 20_000)
            let outcome = try photostream.run(["render", "--output", "w.svg", "--json"] + arguments)
            #expect(outcome.errors.contains("the first 20,000 points"), "\(outcome.errors)")
            let start = direction == "left-to-right" ? 0 : width - 20_000
            let rect = ["x": start, "y": 0, "width": 20_000, "height": 900]
            #expect(try outcome.json["rect"] as? [String: Double] == rect)
            let texts = try Drawing(Data(contentsOf: photostream.url("w.svg"))).texts
            #expect(texts.contains("0") && !texts.contains("119"))
        }
    }

    @Test func `an empty stream is drawn, too`() throws {
        try photostream("streams", "create", "demo")
        #expect(try photostream.run(["render", "--output", "demo.svg"] + layout).status == 0)
        _ = try Drawing(Data(contentsOf: photostream.url("demo.svg")))
    }

    @Test func `PNG requires rsvg-convert and rejects pictures that are too large`() throws {
        try photostream.importSamples()
        let missing = try photostream.run(["render", "--output", "p.png"] + layout, path: "/nowhere")
        #expect(missing.status == 1)
        #expect(
            missing.errors.hasSuffix(
                "photostream: PNG output requires rsvg-convert; install it with: apt-get install librsvg2-bin\n"))
        let large = try photostream(
            "render", "--stream", "demo", "--width", "9000", "--display-scale", "8", "--output", "p.png", "--rect",
            "0,0,9000,100")
        #expect(large.status == 1)
        #expect(large.errors.contains("72000 × "), "\(large.errors)")
        #expect(try !photostream.files.contains("p.png"))
        #expect(try photostream.files.allSatisfy { !$0.hasSuffix(".partial") })
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/rsvg-convert")))
    func `a PNG has a pixel for each device pixel`() throws {
        try photostream.importSamples()
        let outcome = try photostream.run(
            ["render", "--output", "p.PNG", "--rect", "0,0,300,200", "--display-scale", "1.5"] + layout)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let bytes = [UInt8](try Data(contentsOf: photostream.url("p.PNG")))
        #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
        #expect(Int(bytes[18]) << 8 + Int(bytes[19]) == 450)
    }

    private static let hasPictures = ["vips", "rsvg-convert"].allSatisfy {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)")
    }

    private func vips(_ arguments: String...) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/vips")
        process.arguments = arguments
        process.currentDirectoryURL = photostream.folder
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return text
    }

    /// Imports a picture of three equal parts, red, green and blue, 900 × 300 pixels, and a photo without a file.
    private func importStripes() throws {
        try FileManager.default.createDirectory(at: photostream.url("pictures"), withIntermediateDirectories: true)
        let colors: [[UInt8]] = [[255, 0, 0], [0, 255, 0], [0, 0, 255]]
        let line = colors.flatMap { color in (0..<300).flatMap { _ in color } }
        try (Data("P6 900 300 255\n".utf8) + Data((0..<300).flatMap { _ in line })).write(
            to: photostream.url("stripes.ppm"))
        _ = try vips("copy", "stripes.ppm", "pictures/stripes.png")
        try photostream.write("a.jsonl", ##"{"id":"a","width":3,"height":2,"color":"#123456"}"##)
        let outcome = try photostream("import", "--stream", "s", "pictures", "a.jsonl")
        try #require(outcome.status == 0, "\(outcome.errors)")
    }

    @Test(.enabled(if: hasPictures, "vips or rsvg-convert is missing"))
    func `pictures fill their frames, and are cropped on both sides`() throws {
        try importStripes()
        let grid = ["--stream", "s", "--width", "400", "--algorithm", "grid", "--columns", "2", "--pictures"]
        let outcome = try photostream.run(["render", "--output", "g.png", "--json"] + grid)
        #expect(try outcome.json["count"] as? Int == 2 && outcome.json["thumbnailCount"] as? Int == 1)
        #expect(outcome.errors.contains("1 photo of 2 drawn as colours, without a thumbnail"), "\(outcome.errors)")
        func pixel(_ x: Int, _ y: Int) throws -> [Int] {
            try vips("getpoint", "g.png", "\(x)", "\(y)").split(separator: " ").prefix(3).compactMap {
                Double($0).map { Int($0.rounded()) }
            }
        }
        // In a square, only the middle is left of the stripes; the other cell has its colour.
        let cells = try [(30, 100), (100, 100), (170, 100)].map { try pixel($0.0, $0.1) }
        let others = try [(230, 100), (300, 150), (370, 100)].map { try pixel($0.0, $0.1) }
        let (stripes, plain) = cells[1] == [0x12, 0x34, 0x56] ? (others, cells) : (cells, others)
        for color in stripes { #expect(color[1] > 240 && color[0] < 16 && color[2] < 16, "\(stripes)") }
        #expect(plain.allSatisfy { $0 == [0x12, 0x34, 0x56] }, "\(plain)")
        // If nothing is cropped, all three are visible.
        let lines = ["--stream", "s", "--width", "600", "--columns", "1", "--pictures", "--rect", "0,0,600,1000"]
        try #require(try photostream.run(["render", "--output", "g.png"] + lines).status == 0)
        let first = try pixel(100, 120)
        let y = first == [0x12, 0x34, 0x56] ? 400 + 100 : 120
        #expect(try pixel(100, y)[0] > 240 && pixel(300, y)[1] > 240 && pixel(500, y)[2] > 240)
    }

    @Test(.enabled(if: hasPictures, "vips or rsvg-convert is missing"))
    func `a picture uses the smallest thumbnail that covers its frame`() throws {
        try importStripes()
        // A line of the stripes is 3 points wide for each of its height; a square shows a third of it.
        for (options, side) in [
            (["--columns", "2", "--width", "400"], 240), (["--columns", "1", "--width", "320"], 320),
            (["--columns", "1", "--width", "321"], 480),
            (["--columns", "1", "--width", "320", "--display-scale", "2"], 640),
            (["--algorithm", "grid", "--columns", "2", "--width", "200"], 320),
            (["--algorithm", "grid", "--columns", "2", "--width", "400"], 640),
            // Never enlarged: the file is 900 pixels wide.
            (["--columns", "1", "--width", "2000"], 900),
        ] {
            try #require(
                try photostream.run(["render", "--stream", "s", "--output", "s.svg", "--pictures"] + options).status
                    == 0)
            let drawing = try Drawing(Data(contentsOf: photostream.url("s.svg")))
            #expect(drawing.images.count == 1)
            let image = try #require(drawing.images.first)
            #expect(image["preserveAspectRatio"] == "xMidYMid slice")
            let parts = (image["href"] ?? "").split(separator: ",", maxSplits: 1)
            #expect(parts.first == "data:image/jpeg;base64")
            let jpeg = try #require(parts.last.flatMap { Data(base64Encoded: String($0)) })
            try jpeg.write(to: photostream.url("t.jpg"))
            let process = Process()
            let output = Pipe()
            process.executableURL = URL(filePath: "/usr/bin/vipsheader")
            process.arguments = ["-f", "width", photostream.url("t.jpg").path]
            process.standardOutput = output
            try process.run()
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            #expect(Int(text.trimmingCharacters(in: .whitespacesAndNewlines)) == side, "\(options)")
        }
        // Without the option nothing is read or made.
        try photostream.run(["render", "--stream", "s", "--output", "s.svg", "--width", "400"])
        #expect(try Drawing(Data(contentsOf: photostream.url("s.svg"))).images.isEmpty)
    }

    @Test func `unknown extensions and unwritable paths are rejected`() throws {
        try photostream.importSamples()
        let wrong = try photostream.run(["render", "--output", "demo.gif"] + layout)
        #expect(wrong.status == 64)
        #expect(wrong.errors.contains("must end in .svg or .png"))
        let missing = try photostream.run(["render", "--output", "no/demo.svg"] + layout)
        #expect(missing.status == 1)
        #expect(missing.errors.contains("\"no/demo.svg\" cannot be written"))
    }
}

/// The contents of a picture.
private final class Drawing: NSObject, XMLParserDelegate {
    private(set) var titles: [String] = []
    private(set) var texts: Set<String> = []
    /// The contents of its groups, in drawing order.
    private(set) var classes: [String] = []
    private(set) var root: [String: String] = [:]
    /// The attributes of its images.
    private(set) var images: [[String: String]] = []
    private var text = ""

    init(_ data: Data) throws {
        super.init()
        let parser = XMLParser(data: data)
        parser.delegate = self
        try #require(parser.parse(), "\(String(describing: parser.parserError))")
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        if name == "svg", root.isEmpty { root = attributes }
        if name == "image" { images.append(attributes) }
        if name == "g", let kind = attributes["class"] { classes.append(kind) }
        text = ""
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
        text += string
    }

    func parser(
        _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
    ) {
        if name == "title" { titles.append(text) }
        if name == "text" { texts.insert(text) }
    }
}
