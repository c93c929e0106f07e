import PhotoStreamLayout
import PhotoStreamService
import PhotoStreamWire

/// A parameter of a route, for the router and for the description of the interface.
struct RouteParameter: Sendable {
    /// What values it takes.
    enum Schema: Sendable {
        case integer(ClosedRange<Int>)
        case number(ClosedRange<Double>?)
        /// Numbers between commas.
        case numbers(Int)
        case flag
        case words([String])
        /// Words between commas.
        case wordList([String])
        case text
        /// The id of a photo.
        case photoID
        /// The name of a stream.
        case streamName
    }

    /// Its name.
    let name: String
    /// What it means.
    let summary: String
    /// What values it takes.
    let schema: Schema
    /// Whether the request is refused without it.
    var isRequired = false

    /// Creates a parameter.
    init(_ name: String, _ schema: Schema, _ summary: String) {
        self.name = name
        self.summary = summary
        self.schema = schema
    }

    /// The same, but it must be given.
    var required: RouteParameter {
        var parameter = self
        parameter.isRequired = true
        return parameter
    }
}

extension RouteParameter {
    /// The options of layouts, as the command names them.
    static let layoutOptions = LayoutOption.allCases.map { option in
        RouteParameter(option.name, Schema(option), option.summary.replacing("--", with: ""))
    }

    static let limit = RouteParameter(
        "limit", .integer(1...PhotoStreamService.maximumLimit),
        "The most photos to answer. (default: \(PhotoStreamService.defaultLimit))")
    static let cursor = RouteParameter("cursor", .text, "Where to go on: what the answer before gave.")
    static let fields = RouteParameter(
        "fields", .wordList(ItemField.allCases.map(\.rawValue)),
        "The members of the items, between commas. (default: all)")
    static let revision = RouteParameter(
        "revision", .integer(0...Int.max),
        "The revision that the answer must speak of: then it may be kept for ever, and another one is refused.")
    static let since = RouteParameter(
        "since", .integer(0...Int.max), "The revision that an earlier answer named; 0 is before the first photo."
    ).required
    static let rect = RouteParameter("rect", .numbers(4), "x,y,width,height in points of the content.")
    static let x = RouteParameter("x", .number(nil), "In points of the content.").required
    static let y = RouteParameter("y", .number(nil), "In points of the content.").required
}

extension RouteParameter.Schema {
    fileprivate init(_ option: LayoutOption) {
        switch option.kind {
        case .number: self = .number(option.range)
        case .count:
            let range = option.range ?? 0...1_000_000
            self = .integer(Int(range.lowerBound)...Int(range.upperBound))
        case .flag: self = .flag
        case .size: self = .numbers(2)
        case .insets: self = .numbers(4)
        case .choice(let choice): self = .words(choice.words)
        case .key: self = .text
        }
    }
}
