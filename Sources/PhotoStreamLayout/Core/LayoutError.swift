/// An error that a layout throws.
///
/// Algorithms never throw: every value is checked when it enters the engine.
public enum LayoutError: Error, Equatable, Sendable, CustomStringConvertible {
    /// An option has a value outside its range, in points or as a number; NaN is outside every range.
    case outOfRange(option: String, value: Double, allowed: ClosedRange<Double>)
    /// The columns and the space between them leave less than a device pixel for each column.
    case columnsTooNarrow(columns: Int, availablePixels: Int64)
    /// Content and section insets leave no space in the container across the scroll axis.
    case insetsTooWide(containerPixels: Int64)
    /// An algorithm does not support an option.
    case unsupported(option: String, by: String)
    /// A rectangle has a NaN, an infinity or a negative side.
    case invalidRect(String)
    /// A text is not a layout key.
    case invalidKey(String)
    /// A layout key of an older or newer engine.
    case outdatedKey(String)
    /// A placement rule has a name that a key's text cannot contain.
    case invalidLayoutName(String)
    /// Bytes that should hold a layout's state do not.
    case invalidState

    /// A sentence that names the option or the text and its value.
    public var description: String {
        switch self {
        case .outOfRange(let option, let value, let allowed):
            "\(option) is \(value.plainText), but must be \(allowed.lowerBound.plainText) to \(allowed.upperBound.plainText)"
        case .columnsTooNarrow(let columns, let available):
            "\(columns) columns do not fit: after insets and spacing \(available) device pixels are left for them"
        case .insetsTooWide(let container):
            "content and section insets leave nothing of the container's \(container) device pixels"
        case .unsupported(let option, let algorithm): "a \(algorithm) layout has no \(option)"
        case .invalidRect(let reason): reason
        case .invalidKey(let text): "\"\(text)\" is not a layout key"
        case .outdatedKey(let text): "the layout key \"\(text)\" belongs to another version of the layout engine"
        case .invalidLayoutName(let name):
            "a custom layout is named \"\(name)\", but must have 1 to 200 lowercase letters, digits, dots, colons and hyphens"
        case .invalidState: "the layout state is damaged"
        }
    }

    /// The error of a map that is given a list of sections.
    public static let sectionLengthsOfMap = LayoutError.unsupported(option: "section lengths", by: "map")
}
