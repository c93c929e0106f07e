public import PhotoStreamLayout

/// The reason for refusing layout options, in one sentence.
public struct LayoutOptionError: Error, Sendable {
    /// The spelling of options in a sentence.
    public enum Spelling: Sendable {
        /// As on a command line: `--columns`.
        case command
        /// As in the query of an address: `columns`.
        case query
    }

    /// The option to change or to leave out; `nil` if no single option is the cause.
    public let option: LayoutOption?
    /// The layout's own error; `nil` if the options do not fit together.
    public let layoutError: LayoutError?
    private let sentence: @Sendable (Spelling) -> String

    init(_ option: LayoutOption?, sentence: @escaping @Sendable (Spelling) -> String) {
        (self.option, layoutError, self.sentence) = (option, nil, sentence)
    }

    init(_ error: LayoutError, of values: LayoutOptionValues) {
        option = LayoutOption(refusedBy: error, of: values)
        layoutError = error
        sentence = { _ in error.description }
    }

    /// The sentence.
    ///
    /// - Parameter spelling: The spelling of options.
    /// - Returns: The sentence, with the offending value.
    public func text(_ spelling: Spelling) -> String { sentence(spelling) }
}

extension LayoutOption {
    /// The name in a sentence.
    public func name(_ spelling: LayoutOptionError.Spelling) -> String {
        switch spelling {
        case .command: "--" + name
        case .query: name
        }
    }

    /// Creates the option that a layout refuses; `nil` if it is not a single one.
    fileprivate init?(refusedBy error: LayoutError, of values: LayoutOptionValues) {
        switch error {
        case .outOfRange(let name, _, _), .unsupported(let name, _): self.init(named: name, values)
        case .columnsTooNarrow: self = .columns
        case .invalidKey, .outdatedKey: self = .layoutKey
        case .insetsTooWide:
            self = values.given.first { [.contentInset, .cellPadding, .sectionInset].contains($0) } ?? .width
        case .invalidRect, .invalidLayoutName, .invalidState: return nil
        }
    }

    /// Creates the option from the layout's name for it.
    private init?(named name: String, _ values: LayoutOptionValues) {
        switch name {
        case "container width": self = .width
        case "container height": self = .height
        case "horizontal scrolling": self = .scrollDirection
        case "sectioning by dates": self = .sectionBy
        case "span ratio": self = .spanWiderThan
        case "header reference size", "section headers with clusters": self = .headerSize
        case "footer reference size", "section footers with clusters": self = .footerSize
        case "section backgrounds with clusters": self = .sectionBackground
        case "badge width", "badge height": self = .badgeSize
        case "item width": self = .itemSize
        case "item height": self = values.itemHeight == nil ? .itemSize : .itemHeight
        case _ where name.hasSuffix("content inset"): self = values.cellPadding == nil ? .contentInset : .cellPadding
        case _ where name.hasSuffix("section inset"): self = .sectionInset
        case "interitem spacing", "line spacing":
            guard values.cellPadding == nil else {
                self = .cellPadding
                return
            }
            fallthrough
        default: self.init(rawValue: name.replacing(" ", with: "-"))
        }
    }
}
