import PhotoStreamLayout
import PhotoStreamTestSupport
import Testing

@Suite struct LayoutKeyTextTests {
    private static let golden =
        "masonry-4,length=2400,scale=2,inset=3:5:7:9,interitem=20,line=21,caption=46,columns=4,choice=shortest"

    private static func configuration() -> LayoutConfiguration {
        LayoutConfiguration(
            containerLength: 1_200,
            displayScale: 2,
            contentInset: EdgeInsets(top: 1.5, left: 2.5, bottom: 3.5, right: 4.5),
            interitemSpacing: 10, lineSpacing: 10.5, captionExtent: 23,
            algorithm: .masonry(MasonryParameters(columns: .count(4))))
    }

    @Test func `the canonical text contains every value in device pixels`() throws {
        #expect(LayoutKey.engineVersion == 4)
        #expect(try LayoutKey(Self.configuration()).description == Self.golden)
        #expect(
            try LayoutKey(LayoutConfiguration(containerLength: 375)).description
                == "masonry-4,length=375,scale=1,inset=0:0:0:0,interitem=0,line=0,caption=0,columns=4,choice=shortest")
        #expect(
            try LayoutKey(.masonry(128, width: 100_000, choice: .roundRobin, scale: 2.625, spacing: 0.25)).description
                == "masonry-4,length=262500,scale=2.625,inset=0:0:0:0,interitem=1,line=1,caption=0,columns=128,"
                + "choice=round-robin")
    }

    @Test func `tolerance and span are in the text only if they have an effect`() throws {
        func text(_ parameters: MasonryParameters) throws -> String {
            let key = try LayoutKey(
                LayoutConfiguration(containerLength: 375, displayScale: 2, algorithm: .masonry(parameters)))
            #expect(try LayoutKey(parsing: key.description) == key)
            return key.description.components(after: "columns=")
        }
        #expect(
            try text(MasonryParameters(orderTolerance: 10.25, spanWiderThan: 1.5))
                == "4,choice=shortest,tolerance=21,span=1500000")
        #expect(
            try text(MasonryParameters(columnChoice: .roundRobin, orderTolerance: 10, spanWiderThan: 2))
                == "4,choice=round-robin,span=2000000")
        #expect(
            try text(MasonryParameters(columns: .count(1), orderTolerance: 10, spanWiderThan: 2))
                == "1,choice=shortest")
        let base = "masonry-4,length=375,scale=1,inset=0:0:0:0,interitem=0,line=0,caption=0,columns="
        for end in [
            "1,choice=shortest,span=2000000", "1,choice=shortest,tolerance=3", "4,choice=round-robin,tolerance=3",
            "4,choice=shortest,tolerance=0", "4,choice=shortest,span=999", "4,choice=shortest,span=1000000001",
            "4,choice=shortest,tolerance=10001", "4,choice=shortest,span=2000000,tolerance=3",
        ] {
            #expect(throws: LayoutError.invalidKey(base + end)) { try LayoutKey(parsing: base + end) }
        }
    }

    @Test func `an anchor at the end is in the text only if it has an effect`() throws {
        func key(_ columns: Int, _ anchor: MasonryParameters.Anchor) throws -> LayoutKey {
            try LayoutKey(
                LayoutConfiguration(
                    containerLength: 375,
                    algorithm: .masonry(
                        MasonryParameters(columns: .count(columns), spanWiderThan: 2, anchor: anchor))))
        }
        let base = "masonry-4,length=375,scale=1,inset=0:0:0:0,interitem=0,line=0,caption=0,columns="
        #expect(try key(4, .end).description == base + "4,choice=shortest,span=2000000,anchor=end")
        #expect(try key(4, .start).description == base + "4,choice=shortest,span=2000000")
        #expect(try key(4, .end) != key(4, .start) && key(1, .end) == key(1, .start))
        #expect(try LayoutKey(parsing: key(4, .end).description) == key(4, .end))
        for end in [
            "4,choice=shortest,anchor=start", "4,choice=shortest,anchor=top", "1,choice=shortest,anchor=end",
            "4,choice=shortest,anchor=end,span=2000000", "4,anchor=end,choice=shortest",
        ] {
            #expect(throws: LayoutError.invalidKey(base + end)) { try LayoutKey(parsing: base + end) }
        }
    }

    @Test(arguments: UInt64(0)..<64)
    func `a key's text parses to the key`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<10 {
            var configuration = LayoutConfiguration.sample(using: &random)
            if random.oneIn(2) { configuration.displayScale = Double(random.int(in: 2_000...4_000)) / 777 }
            guard let key = try? LayoutKey(configuration) else { continue }
            #expect(try LayoutKey(parsing: key.description) == key)
        }
    }

    @Test(arguments: [0.5, 1, 1.5, 2.625, 8])
    func `keys at the ends of every range parse their own text`(scale: Double) throws {
        for width in [1.0, 100_000] {
            for length in [0.0, 10_000] {
                var configuration = LayoutConfiguration.masonry(1, width: width, scale: scale, spacing: length)
                configuration.contentInset.top = length
                configuration.contentInset.bottom = length
                if width > 1 {
                    configuration.contentInset.left = length
                    configuration.contentInset.right = length
                }
                let key = try LayoutKey(configuration)
                #expect(try LayoutKey(parsing: key.description) == key)
            }
        }
    }

    @Test(arguments: [
        ("", "empty"),
        (",", "no fields"),
        ("masonry", "no version"),
        ("masonry-4", "no fields"),
        ("masonry-", "an empty version"),
        ("spiral-4,length=2400", "an unknown algorithm"),
        ("Masonry-4,length=2400", "another case"),
        ("masonry-one,length=2400", "a version in words"),
        ("masonry--1,length=2400", "a negative version"),
        ("masonry-4-3,length=2400", "two versions"),
        ("masonry-99999999999999999999", "a version past 64 bits"),
        (golden + ",", "an empty extra field"),
        (golden + ",line=21", "a repeated field"),
        (golden + ",span=2", "an unknown extra field"),
        (golden + "\n", "a line feed at the end"),
        (" " + golden, "a space before"),
    ])
    func `a text that is not a key is refused`(text: String, what: String) {
        #expect(throws: LayoutError.invalidKey(text), "\(what)") { try LayoutKey(parsing: text) }
    }

    @Test(arguments: [
        ("masonry-4", "masonry-04"), ("masonry-4", "masonry-+4"),
        ("length=2400", "length=02400"), ("length=2400", "length=+2400"), ("length=2400", "length=-2400"),
        ("length=2400", "length=2400.0"), ("length=2400", "length=2400 "), ("length=2400", "length="),
        ("length=2400", "length"), ("length=2400", "Length=2400"), ("length=2400", "length=200001"),
        ("length=2400", "length=9999999999"),
        ("length=2400", "length=00000002400"), ("length=2400", "length=99999999999"),
        ("length=2400", "length=99999999999999999999999999"), ("length=2400", "length=2400:0"),
        ("length=2400", "length=٢٤٠٠"), ("length=2400", "length=1e3"), ("length=2400", "length=0x960"),
        ("scale=2", "scale=2.0"), ("scale=2", "scale=+2"), ("scale=2", "scale=02"), ("scale=2", "scale=2e0"),
        ("scale=2", "scale=0x1p1"), ("scale=2", "scale="), ("scale=2", "scale=two"), ("scale=2", "scale= 2"),
        ("inset=3:5:7:9", "inset=3:5:7"), ("inset=3:5:7:9", "inset=3:5:7:9:0"),
        ("inset=3:5:7:9", "inset=3:5:7:9:99999999999"), ("inset=3:5:7:9", "inset=3:5::9"),
        ("inset=3:5:7:9", "inset=3:5:7:-9"), ("inset=3:5:7:9", "inset=20001:5:7:9"),
        ("inset=3:5:7:9", "inset=3:5:20001:9"), ("inset=3:5:7:9", "inset=03:5:7:9"),
        ("columns=4", "columns=0"), ("columns=4", "columns=129"), ("columns=4", "columns=04"),
        ("columns=4", "columns=9999999999"), ("columns=4", "columns=-4"), ("columns=4", "count=4"),
        ("choice=shortest", "choice=Shortest"), ("choice=shortest", "choice=longest"),
        ("choice=shortest", "choice="), ("choice=shortest", "choice=roundRobin"),
        ("interitem=20", "interitem=9223372036854775807"),
        ("inset=3:5:7:9", "inset=3:9223372036854775807:7:9223372036854775807"), ("interitem=20", "interitem=+20"),
        ("line=21", "line=20001"), ("line=21", "line=-0"),
        ("caption=46", "caption=20001"), ("caption=46", "caption=46,"), ("caption=46", "caption"),
        (",length=2400", ""), (",scale=2", ""), (",inset=3:5:7:9", ""), (",columns=4", ""), (",choice=shortest", ""),
        (",interitem=20", ""), (",line=21", ""), (",caption=46", ""),
        ("length=2400,scale=2", "scale=2,length=2400"), ("interitem=20,line=21", "line=21,interitem=20"),
        (",", ";"), (",", ", "), ("=", ":"),
    ])
    func `a key with a single error is refused`(part: String, wrong: String) {
        let text = replacing(part, with: wrong)
        #expect(text != Self.golden)
        #expect(throws: LayoutError.invalidKey(text)) { try LayoutKey(parsing: text) }
    }

    @Test(arguments: ["0", "1", "2", "3", "5", "12", "9999"])
    func `a key of an older or newer engine is outdated, whatever it contains`(version: String) {
        for text in [replacing("masonry-4", with: "masonry-\(version)"), "masonry-\(version),of=another,shape"] {
            let error = LayoutError.outdatedKey(text)
            #expect(throws: error) { try LayoutKey(parsing: text) }
            #expect(error.description == "the layout key \"\(text)\" belongs to another version of the layout engine")
        }
    }

    @Test(arguments: ["0.4", "9", "nan", "inf", "-2", "0"])
    func `a scale out of range is named`(scale: String) throws {
        let text = replacing("scale=2", with: "scale=\(scale)")
        let value = try #require(Double(scale))
        let error = #expect(throws: LayoutError.self) { try LayoutKey(parsing: text) }
        guard case .outOfRange("display scale", let named, 0.5...8) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(named == value || named.isNaN && value.isNaN)
    }

    @Test(
        arguments: [
            ("columns=4", "columns=121", 121, 0), ("columns=4", "columns=120", 120, 6),
            ("length=2400", "length=77", 4, 3),
            ("interitem=20", "interitem=9999999999", 4, 0),
        ] as [(String, String, Int, Int64)])
    func `columns that are too narrow are named with both numbers`(
        part: String, wrong: String, columns: Int, available: Int64
    ) {
        #expect(throws: LayoutError.columnsTooNarrow(columns: columns, availablePixels: available)) {
            try LayoutKey(parsing: replacing(part, with: wrong))
        }
    }

    @Test func `insets that leave no space are reported before columns`() {
        #expect(throws: LayoutError.insetsTooWide(containerPixels: 14)) {
            try LayoutKey(parsing: replacing("length=2400", with: "length=14"))
        }
    }

    @Test func `invisible elements are not part of the key`() throws {
        func key(_ change: (inout LayoutConfiguration) -> Void) throws -> LayoutKey {
            var configuration = Self.configuration()
            change(&configuration)
            return try LayoutKey(configuration)
        }
        let plain = try key { _ in }
        #expect(try key { $0.badgeSize = Size(width: 0, height: 10) } == plain)
        #expect(try key { $0.badgeSize = Size(width: 10, height: 0.2) } == plain)
        #expect(try key { $0.sections.headersPinToVisibleBounds = true } == plain)
        #expect(try key { $0.sections.footersPinToVisibleBounds = true } == plain)
        for part in ["pin-headers=1", "pin-footers=1", "badge=0:10", "badge=10:0"] {
            let text = Self.golden.replacing("caption=46", with: "caption=46," + part)
            #expect(throws: LayoutError.invalidKey(text)) { try LayoutKey(parsing: text) }
        }
    }

    @Test func `a width under one point is not a key`() {
        let rest = ",scale=8,inset=0:0:0:0,interitem=0,line=0,caption=0,columns=1,choice=shortest"
        #expect(throws: LayoutError.invalidKey("masonry-4,length=7" + rest)) {
            try LayoutKey(parsing: "masonry-4,length=7" + rest)
        }
        #expect(throws: Never.self) { try LayoutKey(parsing: "masonry-4,length=8" + rest) }
    }

    @Test func `an invalid key's error quotes the text`() {
        #expect(LayoutError.invalidKey("a,b").description == "\"a,b\" is not a layout key")
    }

    /// The golden text with every occurrence of a part replaced.
    private func replacing(_ part: String, with other: String) -> String {
        var text = ""
        var rest = Substring(Self.golden)
        while !rest.isEmpty {
            if rest.hasPrefix(part) {
                text += other
                rest = rest.dropFirst(part.count)
            } else {
                text.append(rest.removeFirst())
            }
        }
        return text
    }
}

extension String {
    /// The components that follow some text in it.
    fileprivate func components(after text: String) -> String {
        split(separator: text, omittingEmptySubsequences: false).dropFirst().joined(separator: text)
    }
}
