import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

/// The rules of stacks: names of makers, each with the thread that reports it, and near-misses.
@Suite struct StackRulesTests {
    /// A file of a table.
    private struct File {
        var name: String
        var seconds: Int64?
        var camera: String?
        var duration: Int?
        var identifier: String?
        var burst: String?
        var folder = "f"

        init(
            _ name: String, at seconds: Int64? = 0, by camera: String? = "C", lasting duration: Int? = nil,
            live identifier: String? = nil, burst: String? = nil, in folder: String = "f"
        ) {
            (self.name, self.seconds, self.camera, self.duration) = (name, seconds, camera, duration)
            (self.identifier, self.burst, self.folder) = (identifier, burst, folder)
        }

        var candidate: StackCandidate {
            get throws {
                let ending = name.split(separator: ".").last?.lowercased() ?? ""
                let kind: StackCandidate.FileKind =
                    ["dng", "arw", "cr2", "nef", "raf"].contains(ending)
                    ? .raw : ["mov", "mp4"].contains(ending) ? .video : .still
                var candidate = StackCandidate(
                    id: try PhotoID("\(folder)/\(name)"), folder: folder, name: name, kind: kind)
                candidate.takenAt = try seconds.map {
                    try CaptureTime(milliseconds: $0 * 1_000, utcOffsetMinutes: nil, precision: .second)
                }
                (candidate.camera, candidate.duration) = (camera, duration ?? (kind == .video ? 2_500 : nil))
                (candidate.contentIdentifier, candidate.burst) = (identifier, burst)
                return candidate
            }
        }
    }

    /// Files, and the stacks that they form: positions in the list, the cover first, with the kind of each.
    private struct Row: CustomTestStringConvertible {
        let source: String
        let files: [File]
        let stacks: [[Int]]
        var kinds: Set<StackKind> = [.live, .raw, .edited]
        var testDescription: String { "\(source): \(files.map(\.name))" }

        init(_ source: String, _ files: [File], _ stacks: [[Int]] = [], kinds: Set<StackKind> = [.live, .raw, .edited])
        {
            (self.source, self.files, self.stacks, self.kinds) = (source, files, stacks, kinds)
        }
    }

    private static let pairs = [
        Row("simulot/immich-go#45", [File("IMG_0001.JPG"), File("IMG_0001.CR2")], [[0, 1]]),
        Row("simulot/immich-go#45, case", [File("DSC00001.jpg"), File("dsc00001.ARW")], [[0, 1]]),
        Row("immich-app/immich#30451", [File("DSCF1.RAF"), File("DSCF1.JPG")], [[1, 0]]),
        Row(
            "simulot/immich-go#651",
            [
                File("PXL_20230817_204415601.RAW-01.COVER.jpg"), File("PXL_20230817_204415601.RAW-02.ORIGINAL.dng"),
            ], [[0, 1]]),
        Row(
            "simulot/immich-go#651, moving",
            [
                File("PXL_20230817_204415601.RAW-01.MP.COVER.jpg", at: nil),
                File("PXL_20230817_204415601.RAW-02.ORIGINAL.dng", at: nil),
            ], [[0, 1]]),
        Row(
            "portraits of Pixel phones",
            [
                File("PXL_20230817_204415601.PORTRAIT-02.ORIGINAL.jpg"),
                File("PXL_20230817_204415601.PORTRAIT-01.COVER.jpg"),
            ], [[1, 0]]),
        Row(
            "immich-app/immich#8503", [File("IMG_1.HEIC", at: nil, live: "X"), File("IMG_1.MOV", at: nil, live: "X")],
            [[0, 1]]),
        Row(
            "immich-app/immich#160", [File("IMG_2.HEIC", at: 10), File("IMG_2.MOV", at: 12, lasting: 3_000)], [[0, 1]]
        ),
        Row("immich-app/immich#5473", [File("IMG_3.JPG", at: 10), File("IMG_3.MP4", at: 7)], [[0, 1]]),
        Row(
            "immich-app/immich#16401, another folder",
            [File("A.HEIC", live: "Y", in: "a"), File("B.MOV", live: "Y", in: "b")], [[0, 1]]),
        Row("edited by Google Photos", [File("x.jpg"), File("x-edited.jpg")], [[1, 0]]),
        Row("edited by Google Photos, in German", [File("x.jpg", at: nil), File("x-bearbeitet.jpg")], [[1, 0]]),
        Row("edited on an iPhone", [File("IMG_1234.JPG"), File("IMG_E1234.JPG")], [[1, 0]]),
        Row(
            "an edited live photo",
            [
                File("IMG_1234.HEIC", live: "Z"), File("IMG_1234.MOV", live: "Z"), File("IMG_E1234.JPG"),
                File("IMG_E1234.MOV"),
            ], [[2, 0, 3, 1]]),
        Row(
            "raw, JPEG and film", [File("IMG_7.DNG"), File("IMG_7.HEIC"), File("IMG_7.MOV", at: 1)],
            [[1, 0, 2]]),
        Row(
            "simulot/immich-go#345",
            [
                File("DSC_0001_BURST20230709220904977.JPG"), File("DSC_0002_BURST20230709220904977.JPG"),
                File("DSC_0003_BURST20230709220904977_COVER.JPG"),
            ], [[2, 0, 1]], kinds: [.burst]),
        Row(
            "bursts by identifier", [File("IMG_1.HEIC", burst: "B"), File("IMG_2.HEIC", burst: "B")], [[0, 1]],
            kinds: [.burst]),
        Row(
            "bursts of Google Camera",
            [
                File("00000IMG_00000_BURST20190101123456789_COVER.jpg"),
                File("00001IMG_00001_BURST20190101123456789.jpg"),
            ], [[0, 1]], kinds: [.burst]),
        Row(
            "bursts of Huawei phones",
            [File("IMG_20190101_101010_BURST001_COVER.jpg"), File("IMG_20190101_101010_BURST002.jpg")], [[0, 1]],
            kinds: [.burst]),
        Row(
            "copies of a live photo in two folders",
            [
                File("I.HEIC", live: "W", in: "a"), File("I.MOV", live: "W", in: "a"),
                File("I.HEIC", live: "W", in: "b"), File("I.MOV", live: "W", in: "b"),
            ], [[0, 1], [2, 3]]),
    ]

    private static let nearMisses = [
        Row("simulot/immich-go#1129", [File("IMG_1.JPG"), File("IMG_2.JPG"), File("IMG_3.JPG")]),
        Row("simulot/immich-go#624", [File("IMG_1.HEIC", at: 0), File("IMG_1.MOV", at: 3_600)]),
        Row("simulot/immich-go#83", [File("A_BURST20230709220904977.JPG"), File("B_BURST20230709220904977.JPG")]),
        Row("another second", [File("IMG_1.JPG", at: 0), File("IMG_1.CR2", at: 1)]),
        Row("another camera", [File("IMG_1.JPG", by: "A"), File("IMG_1.CR2", by: "B")]),
        Row("no camera", [File("IMG_1.JPG", by: nil), File("IMG_1.CR2", by: nil)]),
        Row("no time", [File("IMG_1.JPG", at: nil), File("IMG_1.CR2", at: nil)]),
        Row("another folder", [File("IMG_1.JPG", in: "a"), File("IMG_1.CR2", in: "b")]),
        Row("two raw files", [File("IMG_1.CR2"), File("IMG_1.DNG")]),
        Row("two pictures", [File("IMG_1.JPG"), File("IMG_1.HEIC")]),
        Row("two numbers", [File("IMG_1.JPG"), File("IMG_10.CR2")]),
        Row("a long film", [File("IMG_1.JPG"), File("IMG_1.MOV", lasting: 5_001)]),
        Row("a film four seconds later", [File("IMG_1.JPG", at: 0), File("IMG_1.MOV", at: 4)]),
        Row("a film without a time", [File("IMG_1.JPG"), File("IMG_1.MOV", at: nil)]),
        Row("other identifiers", [File("IMG_1.HEIC", live: "A"), File("IMG_1.MOV", live: "B")]),
        Row("one identifier", [File("IMG_1.HEIC", live: "A"), File("IMG_1.MOV")]),
        Row(
            "three of one identifier in other folders",
            [File("A.HEIC", live: "A", in: "a"), File("B.HEIC", live: "A", in: "b"), File("C.MOV", live: "A", in: "c")]),
        Row("two films", [File("IMG_1.MOV", live: "A"), File("IMG_1.MP4", live: "A")]),
        Row("an edit of another time", [File("x.jpg", at: 0), File("x-edited.jpg", at: 60)]),
        Row("an edit of another file", [File("x.jpg"), File("y-edited.jpg")]),
        Row("an edit alone", [File("x-edited.jpg")]),
        Row("an edit of a film", [File("x.mov"), File("x-edited.jpg", at: 9)]),
        Row("a long number", [File("IMG_12345.JPG"), File("IMG_E12345.JPG")]),
        Row("two originals", [File("PXL_1.RAW-02.ORIGINAL.dng"), File("PXL_1.RAW-02.ORIGINAL.jpg", at: 4)]),
        Row("a word in a name", [File("burst.jpg"), File("a_burst.jpg")], kinds: [.burst]),
        Row("other bursts", [File("IMG_1.HEIC", burst: "A"), File("IMG_2.HEIC", burst: "B")], kinds: [.burst]),
        Row("one second without a burst", [File("IMG_1.HEIC"), File("IMG_2.HEIC")], kinds: [.burst]),
        Row("rules that are off", [File("IMG_1.JPG"), File("IMG_1.CR2")], kinds: [.live, .edited, .burst]),
    ]

    private func stacks(of files: [File], _ kinds: Set<StackKind>) throws -> [[String]] {
        StackRules(kinds).stacks(of: try files.map { try $0.candidate }).map { $0.map(\.id.rawValue) }
            .sorted { $0.joined() < $1.joined() }
    }

    @Test(arguments: pairs + nearMisses)
    private func `files are stacked as makers name them, and no others`(row: Row) throws {
        let expected = try row.stacks.map { try $0.map { try row.files[$0].candidate.id.rawValue } }
            .sorted { $0.joined() < $1.joined() }
        #expect(try stacks(of: row.files, row.kinds) == expected)
    }

    @Test func `there are at least as many near-misses as pairs`() {
        #expect(Self.nearMisses.count >= Self.pairs.count)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `stacks do not depend on the order of files, and hold each once`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<200 {
            var files = (0..<random.int(in: 2...9)).map { _ in
                File(
                    random.element(of: [
                        "IMG_1.JPG", "IMG_1.HEIC", "IMG_1.DNG", "IMG_1.MOV", "IMG_1.MP4", "IMG_E1234.JPG",
                        "IMG_1234.JPG",
                        "IMG_1234.MOV", "IMG_1-edited.jpg", "A_BURST20230709220904977.JPG",
                        "B_BURST20230709220904977_COVER.JPG",
                    ]), at: Int64(random.int(in: 0...4)), by: random.element(of: ["C", "C", "D", nil]),
                    live: random.element(of: [nil, nil, "X", "Y"]), burst: random.element(of: [nil, nil, "B"]),
                    in: random.element(of: ["f", "g"]))
            }
            var seen: Set<String> = []
            files.removeAll { !seen.insert("\($0.folder)/\($0.name)").inserted }
            let kinds = Set(StackKind.allCases.filter { _ in random.oneIn(2) || random.oneIn(2) })
            let found = try stacks(of: files, kinds)
            #expect(try stacks(of: files.reversed(), kinds) == found)
            #expect(try stacks(of: Array(files.shuffled(using: &random)), kinds) == found)
            let all = found.flatMap(\.self)
            #expect(Set(all).count == all.count && found.allSatisfy { $0.count > 1 })
        }
    }

    @Test func `a burst beyond the limit is not stacked`() throws {
        let names = { (count: Int) in (0..<count).map { File("\($0)_BURST20230709220904977.JPG") } }
        #expect(try stacks(of: names(StackPlace.maximumCount), [.burst]).map(\.count) == [StackPlace.maximumCount])
        #expect(try stacks(of: names(StackPlace.maximumCount + 1), [.burst]).isEmpty)
    }

    @Test func `a place in a stack has a name and a rank in range`() throws {
        for (stack, rank, message) in [
            ("", 0, "the name of a stack is empty"),
            (String(repeating: "x", count: 513), 0, "the name of a stack has 513 bytes, more than 512"),
            ("a\0", 0, "the name of a stack contains U+0000"),
            ("a", -1, "\"-1\" is not a rank in a stack from 0 to 500"),
            ("a", 501, "\"501\" is not a rank in a stack from 0 to 500"),
        ] {
            #expect(throws: ModelError(message)) { try StackPlace(stack: stack, rank: rank, kind: .raw) }
        }
        #expect(try StackPlace(stack: "a", rank: 500, kind: .raw).isHidden)
        #expect(StackKind.allCases.map(\.rawValue) == [0, 1, 2, 3, 4])
        #expect(StackKind.allCases.map(\.name) == ["live", "raw", "edited", "burst", "manual"])
    }
}
