import PhotoStreamLayout
import PhotoStreamService
import PhotoStreamWire

/// A parameter of a route, for checking requests and for the OpenAPI document.
struct RouteParameter: Sendable {
    /// The values of a parameter.
    enum Schema: Sendable {
        case integer(ClosedRange<Int>)
        case number(ClosedRange<Double>?)
        /// Numbers separated by commas.
        case numbers(Int)
        case flag
        case words([String])
        /// Words separated by commas.
        case wordList([String])
        case text
        /// The id of a photo.
        case photoID
        /// Ids of photos: the parameter is repeated, within a maximum.
        case photoIDs(maximumCount: Int)
        /// The name of a stream.
        case streamName
    }

    /// The name.
    let name: String
    /// The description.
    let summary: String
    /// The allowed values.
    let schema: Schema
    /// Whether a request without it is refused.
    var isRequired = false

    /// Creates a parameter.
    init(_ name: String, as schema: Schema, summary: String) {
        self.name = name
        self.summary = summary
        self.schema = schema
    }

    /// Whether the parameter may be repeated.
    var isList: Bool {
        if case .photoIDs = schema { true } else { false }
    }

    /// The parameter as a required one.
    var required: RouteParameter {
        var parameter = self
        parameter.isRequired = true
        return parameter
    }
}

extension RouteParameter {
    /// The layout options, with the names of the command's options.
    static let layoutOptions = LayoutOption.allCases.map { option in
        RouteParameter(option.name, as: Schema(option), summary: option.summary.replacing("--", with: ""))
    }

    /// The layout options and the condition of the photos.
    static let viewOptions = [condition] + layoutOptions

    static let condition = RouteParameter(
        "where", as: .text,
        summary: """
            Answer for the photos that meet this condition alone, such as `beach rating:>=4`, with positions among them.
            """)

    static let limit = RouteParameter(
        "limit", as: .integer(1...PhotoStreamService.maximumLimit),
        summary: "The maximum number of photos. (default: \(PhotoStreamService.defaultLimit))")
    static let cursor = RouteParameter("cursor", as: .text, summary: "The cursor of the previous answer.")
    static let fields = RouteParameter(
        "fields", as: .wordList(ItemField.allCases.map(\.rawValue)),
        summary: "The members of the items, separated by commas. (default: all)")
    static let ids = RouteParameter(
        "ids", as: .flag, summary: "With the binary form: include the photos' ids. (default: false)")
    static let pictures = RouteParameter(
        "pictures", as: .flag,
        summary:
            "With the binary form: include keys, colours and placeholders of the photos' pictures. (default: false)")
    static let sizes = RouteParameter(
        "sizes", as: .flag,
        summary: "With the binary form: include the sizes of the photos' pictures in pixels. (default: false)")
    static let id = RouteParameter(
        "id", as: .photoIDs(maximumCount: PhotoStreamService.maximumLimit),
        summary: "The ids of the photos to return, in this order: repeat the parameter for each.")
    static let revision = RouteParameter(
        "revision", as: .text,
        summary: """
            The required state, from an earlier answer; if the stream has another state, the request is refused. The \
            answer may be cached for ever, unless it shows results of decoding pictures, which do not change the \
            state.
            """)
    static let since = RouteParameter(
        "since", as: .text, summary: "The state of an earlier answer; 0 is before the first photo."
    ).required
    static let rect = RouteParameter("rect", as: .numbers(4), summary: "x,y,width,height in points of the content.")
    static let x = RouteParameter("x", as: .number(nil), summary: "A coordinate in points of the content.").required
    static let y = RouteParameter("y", as: .number(nil), summary: "A coordinate in points of the content.").required
}

extension RouteParameter.Schema {
    fileprivate init(_ option: LayoutOption) {
        switch option.kind {
        case .number: self = .number(option.range)
        case .count:
            self = .integer(option.range.map { Int($0.lowerBound)...Int($0.upperBound) } ?? 0...Int.max)
        case .flag: self = .flag
        case .size: self = .numbers(2)
        case .insets: self = .numbers(4)
        case .choice(let choice): self = .words(choice.words)
        case .key: self = .text
        }
    }
}
