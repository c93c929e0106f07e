package import PhotoStreamLayout

extension LayoutOption {
    /// The type of an option's values, and the property that stores them.
    package enum Kind {
        /// A number, usually of points.
        case number(WritableKeyPath<LayoutOptionValues, Double?>)
        /// A whole number.
        case count(WritableKeyPath<LayoutOptionValues, Int?>)
        /// Present or absent.
        case flag(WritableKeyPath<LayoutOptionValues, Bool>)
        /// Two numbers between commas.
        case size(WritableKeyPath<LayoutOptionValues, Size?>)
        /// Four numbers between commas.
        case insets(WritableKeyPath<LayoutOptionValues, EdgeInsets?>)
        /// One of some words.
        case choice(LayoutOptionChoice)
        /// A layout key.
        case key
    }

    /// The type of its values.
    package var kind: Kind {
        switch self {
        case .width: .number(\.width)
        case .height: .number(\.height)
        case .algorithm: .choice(LayoutOptionChoice(\.algorithm))
        case .columns: .count(\.columns)
        case .minimumColumnWidth: .number(\.minimumColumnWidth)
        case .columnChoice: .choice(LayoutOptionChoice(\.columnChoice))
        case .orderTolerance: .number(\.orderTolerance)
        case .spanWiderThan: .number(\.spanWiderThan)
        case .anchor: .choice(LayoutOptionChoice(\.anchor))
        case .aspectRatio: .number(\.aspectRatio)
        case .itemSize: .size(\.itemSize)
        case .itemHeight: .number(\.itemHeight)
        case .ownSizes: .flag(\.ownSizes)
        case .targetLineHeight: .number(\.targetLineHeight)
        case .tolerance: .number(\.tolerance)
        case .minimumLineHeight: .number(\.minimumLineHeight)
        case .maximumLineHeight: .number(\.maximumLineHeight)
        case .widows: .choice(LayoutOptionChoice(\.widows))
        case .breaks: .choice(LayoutOptionChoice(\.breaks))
        case .breakoutEvery: .count(\.breakoutEvery)
        case .zoom: .count(\.zoom)
        case .interitemSpacing: .number(\.interitemSpacing)
        case .lineSpacing: .number(\.lineSpacing)
        case .contentInset: .insets(\.contentInset)
        case .cellPadding: .number(\.cellPadding)
        case .displayScale: .number(\.displayScale)
        case .captionExtent: .number(\.captionExtent)
        case .badgeSize: .size(\.badgeSize)
        case .scrollDirection: .choice(LayoutOptionChoice(\.scrollDirection))
        case .layoutDirection: .choice(LayoutOptionChoice(\.layoutDirection))
        case .sectionBy: .choice(LayoutOptionChoice(\.sectionBy))
        case .sectionInset: .insets(\.sectionInset)
        case .headerSize: .number(\.headerSize)
        case .footerSize: .number(\.footerSize)
        case .pinHeaders: .flag(\.pinHeaders)
        case .pinFooters: .flag(\.pinFooters)
        case .sectionBackground: .flag(\.sectionBackground)
        case .separatorThickness: .number(\.separatorThickness)
        case .layoutKey: .key
        }
    }

    /// The range of its numbers; `nil` if its values are not numbers.
    package var range: ClosedRange<Double>? {
        switch self {
        case .width, .height, .minimumColumnWidth: LayoutRange.containerLength
        case .columns: LayoutRange.columnCount.asNumbers
        case .displayScale: DisplayScale.range
        // Spacings are twice the padding.
        case .cellPadding: LayoutRange.length.lowerBound...LayoutRange.length.upperBound / 2
        case .tolerance: LayoutRange.tolerance
        case .spanWiderThan, .aspectRatio: LayoutRange.ratio
        case .breakoutEvery: LayoutRange.breakoutEvery.asNumbers
        case .zoom: LayoutRange.zoom.asNumbers
        case .itemHeight, .targetLineHeight, .minimumLineHeight, .maximumLineHeight: LayoutRange.itemLength
        default:
            if case .number = kind { LayoutRange.length } else { nil }
        }
    }
}

/// An option whose values are words.
package struct LayoutOptionChoice {
    /// The words.
    package let words: [String]
    let set: (inout LayoutOptionValues, String) -> Bool
    let isSet: (LayoutOptionValues) -> Bool

    init<Word: RawRepresentable & CaseIterable>(_ path: WritableKeyPath<LayoutOptionValues, Word?>)
    where Word.RawValue == String {
        words = Word.allCases.map(\.rawValue)
        set = { values, text in
            guard let word = Word(rawValue: text) else { return false }
            values[keyPath: path] = word
            return true
        }
        isSet = { $0[keyPath: path] != nil }
    }
}
