package import PhotoStreamLayout

/// An option of a layout, with its name on the command line and over HTTP.
public enum LayoutOption: String, CaseIterable, Hashable, Sendable {
    case width
    case height
    case algorithm
    case columns
    case minimumColumnWidth = "minimum-column-width"
    case columnChoice = "column-choice"
    case orderTolerance = "order-tolerance"
    case spanWiderThan = "span-wider-than"
    case anchor
    case aspectRatio = "aspect-ratio"
    case itemSize = "item-size"
    case itemHeight = "item-height"
    case ownSizes = "own-sizes"
    case targetLineHeight = "target-line-height"
    case tolerance
    case minimumLineHeight = "minimum-line-height"
    case maximumLineHeight = "maximum-line-height"
    case widows
    case breaks
    case breakoutEvery = "breakout-every"
    case zoom
    case cluster
    case interitemSpacing = "interitem-spacing"
    case lineSpacing = "line-spacing"
    case contentInset = "content-inset"
    case cellPadding = "cell-padding"
    case displayScale = "display-scale"
    case captionExtent = "caption-extent"
    case badgeSize = "badge-size"
    case scrollDirection = "scroll-direction"
    case layoutDirection = "layout-direction"
    case sectionBy = "section-by"
    case sectionInset = "section-inset"
    case headerSize = "header-size"
    case footerSize = "footer-size"
    case pinHeaders = "pin-headers"
    case pinFooters = "pin-footers"
    case sectionBackground = "section-background"
    case separatorThickness = "separator-thickness"
    case layoutKey = "layout-key"

    /// The name in an address, and after two hyphens on a command line.
    public var name: String { rawValue }
}

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
