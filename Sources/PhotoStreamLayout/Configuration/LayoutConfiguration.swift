/// How a stream is to be laid out, in points: what a client asks for.
///
/// Resolve it with ``LayoutKey/init(_:)``, which checks every value and turns it into device pixels, once.
public struct LayoutConfiguration: Hashable, Sendable {
    /// Points across the scroll axis that content and its insets fill, 1 to 100,000.
    public var containerWidth: Double
    /// Device pixels in a point, 0.5 to 8.
    public var displayScale: Double
    /// The margin around all content, each side 0 to 10,000 points.
    public var contentInset: EdgeInsets
    /// The algorithm and what only it reads.
    public var algorithm: Algorithm

    /// The algorithms and their parameters.
    public enum Algorithm: Hashable, Sendable {
        /// Columns of one width, items of any height.
        case masonry(MasonryParameters)
    }

    /// Creates a configuration.
    public init(
        containerWidth: Double,
        displayScale: Double = 1,
        contentInset: EdgeInsets = .zero,
        algorithm: Algorithm = .masonry(MasonryParameters())
    ) {
        self.containerWidth = containerWidth
        self.displayScale = displayScale
        self.contentInset = contentInset
        self.algorithm = algorithm
    }
}
