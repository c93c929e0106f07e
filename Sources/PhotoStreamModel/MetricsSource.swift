/// Where a photo's pixel size comes from.
public enum MetricsSource: UInt8, Sendable {
    /// The source gave whole pixels.
    case measured = 0
    /// The source gave decimal sizes, of which only the ratio means something.
    case ratio = 1
    /// The source gave no size: 3 by 2 stands in for it.
    case assumed = 2

    /// The word for it in JSON.
    public var name: String {
        switch self {
        case .measured: "measured"
        case .ratio: "ratio"
        case .assumed: "assumed"
        }
    }
}
