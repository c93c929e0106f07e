/// What only a grid layout is told, in points.
public struct GridParameters: Hashable, Sendable {
    /// How the number of columns is found; they fill the container.
    public var columns: ColumnCount
    /// The width of every picture's cell divided by its height, 0.001 to 1000.
    ///
    /// The caption's extent comes on top, for every cell alike.
    public var aspectRatio: Double

    /// Creates parameters.
    public init(columns: ColumnCount = .count(4), aspectRatio: Double = 1) {
        self.columns = columns
        self.aspectRatio = aspectRatio
    }
}
