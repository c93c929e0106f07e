import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamModel

@Suite struct ChunkAttributesTests {
    /// The facts of attributes alone.
    private struct Facts: ConditionFacts {
        let attributes: ChunkAttributes
        let metrics: PackedMetrics
        var count: Int { attributes.count }

        func verdict(of term: ConditionTerm) -> ConditionVerdict {
            attributes.verdict(of: term, knowing: TextAnswers()) { metrics }
        }

        func verdict(of words: SearchPhrase, in fields: PhotoFields) -> ConditionVerdict { .open(count: count) }
    }

    private static func facts(about subjects: [ConditionSubject]) -> Facts {
        let photos = subjects.map(\.photo)
        return Facts(
            attributes: ChunkAttributes(photos), metrics: PackedMetrics(photos.map { $0.itemMetrics(at: .undated) }))
    }

    @Test(arguments: UInt64(1)...3)
    func `attributes decide conditions as the photos do`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let subjects = try (0..<200).map { _ in try SampleConditions.subject(using: &random) }
        let facts = Self.facts(about: subjects)
        var decided: Set<ConditionQualifier> = []
        for _ in 0..<1_500 {
            let condition = try Condition(parsing: SampleConditions.text(depth: 2, using: &random))
                .resolved(today: SampleConditions.today)
            let verdict = try condition.verdict(from: facts)
            for position in verdict.met.positions { #expect(condition.matches(subjects[position]), "\(condition)") }
            for position in verdict.unmet.positions { #expect(!condition.matches(subjects[position]), "\(condition)") }
            #expect(verdict.met.setCount + verdict.unmet.setCount + verdict.open.count == subjects.count)
            for term in condition.root.terms {
                let openCount = facts.verdict(of: term).open.count
                #expect(openCount == (ChunkAttributes.decides(term) ? 0 : subjects.count), "\(term.canonicalText)")
                if openCount == 0 { decided.insert(term.qualifier) }
            }
        }
        #expect(
            decided == [
                .tag, .album, .camera, .lens, .folder, .rating, .taken, .near, .within, .type, .ratio, .width, .height,
                .has,
                .is,
            ])
    }

    @Test func `a time that depends on the clock is open`() throws {
        var random = SplitMix64(seed: 4)
        let facts = Self.facts(about: [try SampleConditions.subject(using: &random)])
        #expect(try Condition(parsing: "taken:last-3d").verdict(from: facts).open == [0])
    }

    @Test(arguments: [0, 1, 2, 255, 256, 257, 2_048])
    func `attributes are read as they were stored`(count: Int) throws {
        var random = SplitMix64(seed: UInt64(count))
        var photos = try (0..<count).map { _ in try SampleConditions.subject(using: &random).photo }
        // Some have more distinct values than a byte counts.
        for index in photos.indices where random.oneIn(2) { photos[index].location = "folder \(index)/a.jpg" }
        let attributes = ChunkAttributes(photos)
        #expect(attributes.count == count)
        #expect(ChunkAttributes(decoding: attributes.encoded, count: count) == attributes)
        #expect(ChunkAttributes(decoding: attributes.encoded, count: count + 1) == nil)
    }

    @Test(arguments: UInt64(1)...4)
    func `attributes made from earlier ones equal those of the photos`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let old = try (0..<100).map { _ in try SampleConditions.subject(using: &random).photo }
        let former = ChunkAttributes(old)
        let positions = (0..<120).map { _ in random.oneIn(5) ? nil : random.int(in: 0...99) as Int? }
        let others = try positions.filter { $0 == nil }.map { _ in try SampleConditions.subject(using: &random).photo }
        var rest = others[...]
        let all = positions.map { position in
            if let position { return old[position] }
            return rest.removeFirst()
        }
        #expect(ChunkAttributes(former, at: positions, others: others) == ChunkAttributes(all))
    }

    @Test func `a photo takes few bytes`() throws {
        var random = SplitMix64(seed: 5)
        let photos = try (0..<1_024).map { _ in try SampleConditions.subject(using: &random).photo }
        #expect(ChunkAttributes(photos).encoded.count < 20 * 1_024)
        #expect(ChunkAttributes(Array(repeating: photos[0], count: 1_024)).encoded.count < 256)
    }

    @Test func `damaged attributes are refused, or are those of other photos`() throws {
        var random = SplitMix64(seed: 6)
        let subjects = try (0..<40).map { _ in try SampleConditions.subject(using: &random) }
        let facts = Self.facts(about: subjects)
        let bytes = facts.attributes.encoded
        for end in bytes.indices { #expect(ChunkAttributes(decoding: Array(bytes[..<end]), count: 40) == nil) }
        #expect(ChunkAttributes(decoding: bytes + [0], count: 40) == nil)
        let terms = try (0..<40).map { _ in
            try Condition(parsing: SampleConditions.text(depth: 2, using: &random))
        }
        var readCount = 0
        for _ in 0..<4_000 {
            var damaged = bytes
            for _ in 0...random.int(in: 0...3) {
                damaged[random.int(in: 0...bytes.count - 1)] = UInt8(truncatingIfNeeded: random.next())
            }
            guard let read = ChunkAttributes(decoding: damaged, count: 40) else { continue }
            readCount += 1
            let verdict = try random.element(of: terms).verdict(from: Facts(attributes: read, metrics: facts.metrics))
            #expect(verdict.met.count == 40)
            #expect(ChunkAttributes(decoding: read.encoded, count: 40) == read)
        }
        #expect(readCount > 100)
    }

    @Test func `texts that are too long for a chunk are left out, and only they`() throws {
        var photos: [Photo] = []
        for number in 0..<300 {
            var photo = Photo(id: try PhotoID("photo-\(number)"))
            photo.camera = "camera"
            photo.lens = String(repeating: "lens \(number) ", count: 100)
            photo.location = String(repeating: "folder \(number)/", count: 100) + "a.jpg"
            photo.tags = (0..<100).map { "tag \($0) of photo \(number)" }
            photos.append(photo)
        }
        let attributes = ChunkAttributes(photos)
        #expect(attributes.encoded.count < 10_000)
        #expect(ChunkAttributes(decoding: attributes.encoded, count: 300) == attributes)
        let metrics = PackedMetrics(photos.map { $0.itemMetrics(at: .undated) })
        for text in ["lens:lens", "folder:\"folder 1\"", "tag:\"tag 1 of photo 1\""] {
            let term = try #require(try Condition(parsing: text).root.terms.first)
            #expect(attributes.verdict(of: term, knowing: TextAnswers()) { metrics } == .open(count: 300))
        }
        let camera = try #require(try Condition(parsing: "camera:camera").root.terms.first)
        #expect(attributes.verdict(of: camera, knowing: TextAnswers()) { metrics }.met.isFull)
        #expect(ChunkAttributes(attributes, at: [0, nil], others: [photos[0]]) == nil)
    }

    @Test func `texts with equal letters of other bytes stay apart`() throws {
        var photos = [Photo(id: try PhotoID("a")), Photo(id: try PhotoID("b"))]
        (photos[0].tags, photos[1].tags) = (["caf\u{E9}"], ["cafe\u{301}"])
        #expect(photos[0].tags == photos[1].tags)
        #expect(ChunkAttributes(photos) != ChunkAttributes([photos[0], photos[0]]))
        #expect(ChunkAttributes(photos).encoded != ChunkAttributes([photos[1], photos[0]]).encoded)
    }

    @Test func `the stored form stays the same in a version`() throws {
        // If it changes, `ChunkAttributes.version` is raised.
        var photo = Photo(id: try PhotoID("a"))
        (photo.camera, photo.lens, photo.tags, photo.rating) = ("C", "L", ["t", "u"], 3)
        photo.albums = ["A/b"]
        photo.location = "x/Screenshots/b.mp4"
        photo.takenAt = try CaptureTime(milliseconds: 86_400_000, utcOffsetMinutes: nil, precision: .month)
        photo.editedFields = [.text(.title)]
        let hexadecimal = ChunkAttributes([photo]).encoded.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
        let parts = [
            "020100",
            "08000000", "08000000", "14000000", "26000000", "25000000", "06000000", "0a000000", "06000000", "04000000",
            "0100010100000043",
            "010001010000004c",
            "0100010d000000782f53637265656e73686f7473",
            "02000000" + "010000007400" + "010000007500" + "02000000" + "00000000" + "01000000" + "0100" + "00000000"
                + "02000000",
            "01000000" + "03000000412f62" + "01" + "03000000612f62" + "01000000" + "00000000" + "0100" + "00000000"
                + "01000000",
            "010003000000",
            "0100000000001e000000",
            "010064680001",
            "01000e0b",
        ]
        #expect(hexadecimal == parts.joined())
    }
}
