import PhotoStreamLayout
import PhotoStreamWire
import Testing

@Suite struct LayoutOptionTests {
    /// The least context in which an option may be given.
    private func context(of option: LayoutOption) -> [(LayoutOption, String)] {
        let width: [(LayoutOption, String)] = [(.width, "90000")]
        return switch option {
        case .width: [(.columns, "1")]
        case .height: [(.scrollDirection, "horizontal"), (.columns, "1")]
        case .aspectRatio: width + [(.algorithm, "grid")]
        case .itemHeight: width + [(.algorithm, "flow")]
        case .targetLineHeight, .tolerance, .breakoutEvery, .widows, .breaks, .separatorThickness:
            width + [(.algorithm, "justified")]
        case .minimumLineHeight: width + [(.algorithm, "justified"), (.targetLineHeight, "10000")]
        case .maximumLineHeight: width + [(.algorithm, "justified"), (.targetLineHeight, "1")]
        case .zoom, .cluster: width + [(.algorithm, "map")]
        default: width
        }
    }

    private func key(_ options: [(LayoutOption, String)]) throws -> LayoutKey {
        var values = LayoutOptionValues()
        for (option, text) in options { try values.set(option, to: text) }
        return try values.requiredKey()
    }

    static let ranged = LayoutOption.allCases.filter { $0.range != nil }

    @Test(arguments: ranged)
    func `the ends of a range are accepted, and values beyond are refused by the layout`(option: LayoutOption) throws {
        let range = try #require(option.range)
        let context = context(of: option)
        let isCount = if case .count = option.kind { true } else { false }
        func text(_ number: Double) -> String { isCount ? String(Int(number)) : String(number) }
        let step = isCount ? 1 : 0.0001
        for end in [range.lowerBound, range.upperBound] {
            #expect(throws: Never.self) { try key(context + [(option, text(end))]) }
        }
        for beyond in [range.lowerBound - step, range.upperBound + step] {
            let error = #expect(throws: LayoutOptionError.self) { try key(context + [(option, text(beyond))]) }
            #expect(error?.option == option)
            guard case .outOfRange(_, let value, let allowed) = error?.layoutError else {
                Issue.record("\(option) \(beyond) is not out of range, but \(String(describing: error))")
                continue
            }
            // Twice the cell padding is a spacing.
            #expect(option == .cellPadding || value == beyond && allowed == range)
        }
    }

    /// The options whose description states a default that can be given as a value.
    static let withDefault = LayoutOption.allCases.filter { stated($0) != nil && $0 != .itemSize }

    private static func stated(_ option: LayoutOption) -> String? {
        guard let start = option.summary.firstRange(of: "(default: ") else { return nil }
        let word = String(option.summary[start.upperBound...].prefix { $0 != ")" && $0 != " " })
        let value = word.hasSuffix(",") ? String(word.dropLast()) : word
        let isWord = ["none", "half", "twice"].contains(value) && option != .sectionBy
        return isWord ? nil : value
    }

    @Test(arguments: withDefault)
    func `the default in the description is the value of a layout without the option`(option: LayoutOption) throws {
        let value = try #require(Self.stated(option))
        #expect(try key(context(of: option) + [(option, value)]) == key(context(of: option)))
    }

    @Test(arguments: [("flow", "50,50"), ("map", "44,44")])
    func `the default size of items is that of the description`(algorithm: String, size: String) throws {
        let context: [(LayoutOption, String)] = [(.width, "900"), (.algorithm, algorithm)]
        #expect(LayoutOption.itemSize.summary.contains(size))
        #expect(try key(context + [(.itemSize, size)]) == key(context))
    }
}
