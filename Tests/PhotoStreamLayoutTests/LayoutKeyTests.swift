import PhotoStreamLayout
import PhotoStreamTestSupport
import Testing

@Suite struct LayoutKeyTests {
    private func message(_ configuration: LayoutConfiguration) -> String {
        do throws(LayoutError) {
            return "accepted as \(try LayoutKey(configuration))"
        } catch {
            return error.description
        }
    }

    private func changed(_ change: (inout LayoutConfiguration) -> Void) -> LayoutConfiguration {
        var configuration = LayoutConfiguration(
            containerLength: 50_000, algorithm: .masonry(MasonryParameters(columns: .count(1))))
        change(&configuration)
        return configuration
    }

    private func columns(_ columns: ColumnCount) -> LayoutConfiguration {
        changed { $0.algorithm = .masonry(MasonryParameters(columns: columns)) }
    }

    // MARK: Ranges

    @Test(
        arguments: [
            (0, "0"), (0.999, "0.999"), (-1, "-1"), (100_001, "100001"), (100_000.5, "100000.5"), (.nan, "nan"),
            (.infinity, "inf"), (-.infinity, "-inf"), (1e300, "1e+300"),
        ] as [(Double, String)])
    func `a container width out of range is named`(width: Double, text: String) {
        #expect(
            message(LayoutConfiguration(containerLength: width))
                == "container width is \(text), but must be 1 to 100000")
        #expect(
            message(columns(.minimumWidth(width)))
                == "minimum column width is \(text), but must be 1 to 100000")
    }

    @Test(
        arguments: [
            (0.4, "0.4"), (9, "9"), (8.001, "8.001"), (0, "0"), (-1, "-1"), (.nan, "nan"), (.infinity, "inf"),
        ] as [(Double, String)])
    func `a display scale out of range is named`(scale: Double, text: String) {
        #expect(
            message(LayoutConfiguration(containerLength: 100, displayScale: scale))
                == "display scale is \(text), but must be 0.5 to 8")
    }

    @Test(arguments: [0, 129, -1, .max, .min])
    func `a column count out of range is named`(count: Int) {
        let error = LayoutError.outOfRange(option: "columns", value: Double(count), allowed: 1...128)
        #expect(throws: error) { try LayoutKey(columns(.count(count))) }
        #expect(message(columns(.count(0))) == "columns is 0, but must be 1 to 128")
        #expect(message(columns(.count(129))) == "columns is 129, but must be 1 to 128")
    }

    @Test(
        arguments: [
            (-1, "-1"), (-0.25, "-0.25"), (10_001, "10001"), (10_000.5, "10000.5"), (.nan, "nan"), (.infinity, "inf"),
        ] as [(Double, String)])
    func `a length out of range is named`(length: Double, text: String) {
        let rest = "is \(text), but must be 0 to 10000"
        #expect(message(changed { $0.interitemSpacing = length }) == "interitem spacing \(rest)")
        #expect(message(changed { $0.lineSpacing = length }) == "line spacing \(rest)")
        #expect(message(changed { $0.captionExtent = length }) == "caption extent \(rest)")
        var configuration = LayoutConfiguration(containerLength: 50_000)
        configuration.contentInset = EdgeInsets(top: length, left: 0, bottom: 0, right: 0)
        #expect(message(configuration) == "top content inset \(rest)")
        configuration.contentInset = EdgeInsets(top: 0, left: length, bottom: 0, right: 0)
        #expect(message(configuration) == "left content inset \(rest)")
        configuration.contentInset = EdgeInsets(top: 0, left: 0, bottom: length, right: 0)
        #expect(message(configuration) == "bottom content inset \(rest)")
        configuration.contentInset = EdgeInsets(top: 0, left: 0, bottom: 0, right: length)
        #expect(message(configuration) == "right content inset \(rest)")
    }

    @Test func `the ends of every range are accepted`() throws {
        for width in [1.0, 100_000] {
            for scale in [0.5, 8] {
                #expect(throws: Never.self) {
                    try LayoutKey(.masonry(1, width: width, scale: scale, spacing: 10_000, caption: 10_000))
                }
            }
        }
        let negativeZero = LayoutConfiguration.masonry(1, width: 10, spacing: -0.0)
        #expect(try LayoutKey(negativeZero) == LayoutKey(.masonry(1, width: 10)))
    }

    @Test func `columns of less than a pixel are refused with both numbers`() throws {
        #expect(
            message(.masonry(128, width: 127))
                == "128 columns do not fit: after insets and spacing 127 device pixels are left for them")
        #expect(
            message(.masonry(5, width: 44, spacing: 10))
                == "5 columns do not fit: after insets and spacing 4 device pixels are left for them")
        #expect(
            message(.masonry(3, width: 5, scale: 0.5, spacing: 1))
                == "3 columns do not fit: after insets and spacing 1 device pixels are left for them")
        #expect(
            message(.masonry(3, width: 10, spacing: 100))
                == "3 columns do not fit: after insets and spacing 0 device pixels are left for them")
        #expect(try LayoutKey(.masonry(128, width: 128)).availableLength == 128)
        #expect(try LayoutKey(.masonry(5, width: 45, spacing: 10)).availableLength == 45)
    }

    @Test func `insets as wide as the container or wider are refused`() {
        for right in [60.0, 61, 10_000] {
            for columns in [ColumnCount.count(1), .minimumWidth(10)] {
                let configuration = LayoutConfiguration(
                    containerLength: 100,
                    contentInset: EdgeInsets(top: 0, left: 40, bottom: 0, right: right),
                    algorithm: .masonry(MasonryParameters(columns: columns)))
                #expect(
                    message(configuration)
                        == "content and section insets leave nothing of the container's 100 device pixels")
            }
        }
    }

    @Test(arguments: LayoutConfiguration.displayScales)
    func `a minimum column width gives at least one column while a pixel is left`(scale: Double) throws {
        for minimum in [1.0, 99, 100, 101, 100_000] {
            for width in [2.0, 3, 50, 100] {
                let key = try LayoutKey(
                    LayoutConfiguration(
                        containerLength: width, displayScale: scale, interitemSpacing: 10_000,
                        algorithm: .masonry(MasonryParameters(columns: .minimumWidth(minimum)))))
                #expect(key.columnCount == 1)
            }
        }
    }

    @Test func `a minimum column width gives at most 128 columns`() throws {
        let configuration = LayoutConfiguration(
            containerLength: 100_000, algorithm: .masonry(MasonryParameters(columns: .minimumWidth(1))))
        #expect(try LayoutKey(configuration).columnCount == 128)
    }

    // MARK: Equality

    @Test func `a minimum width and the resulting count have one key`() throws {
        func key(_ columns: ColumnCount) throws -> LayoutKey {
            try LayoutKey(
                LayoutConfiguration(
                    containerLength: 1_000, lineSpacing: 4,
                    algorithm: .masonry(MasonryParameters(columns: columns))))
        }
        #expect(try key(.minimumWidth(250)) == key(.count(4)))
        #expect(try key(.minimumWidth(250)).description == key(.count(4)).description)
        #expect(try key(.minimumWidth(250.5)) == key(.count(3)))
        #expect(try key(.minimumWidth(200.4)) == key(.count(5)))
    }

    @Test func `lengths that round to the same device pixels have one key`() throws {
        #expect(try LayoutKey(.masonry(2, width: 100.2)) == LayoutKey(.masonry(2, width: 100.4)))
        #expect(try LayoutKey(.masonry(2, width: 100.2)).containerLength == 100)
        #expect(try LayoutKey(.masonry(2, width: 100.5)).containerLength == 101)
        #expect(try LayoutKey(.masonry(2, width: 100.2, scale: 8)) != LayoutKey(.masonry(2, width: 100.4, scale: 8)))
        // The scale is part of the key: the same pixels are other points.
        #expect(try LayoutKey(.masonry(2, width: 100, scale: 2)) != LayoutKey(.masonry(2, width: 200)))
    }

    @Test(arguments: UInt64(0)..<32)
    func `keys are equal exactly when their texts are`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let keys = try (0..<12).map { _ in
            try LayoutKey(
                .masonry(
                    random.int(in: 1...2), width: Double(random.int(in: 40...43)) / 4,
                    choice: random.element(of: MasonryParameters.ColumnChoice.allCases),
                    scale: random.element(of: [1, 2]), spacing: Double(random.int(in: 0...3)) / 4))
        }
        for left in keys {
            for right in keys {
                #expect((left == right) == (left.description == right.description))
            }
        }
    }

    @Test(arguments: UInt64(0)..<16)
    func `equal keys give equal layouts`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let configuration = LayoutConfiguration.sample(using: &random)
        let items = SampleMetrics.mixed(100, using: &random)
        let key = try LayoutKey(configuration)
        let snapshot = LayoutSnapshot(key, items: items)
        let again = LayoutSnapshot(try LayoutKey(parsing: key.description), items: items)
        #expect(snapshot.frames == again.frames)
        #expect(snapshot.directory.chunks == again.directory.chunks)
        #expect(snapshot.directory.contentSize == again.directory.contentSize)
    }
}
