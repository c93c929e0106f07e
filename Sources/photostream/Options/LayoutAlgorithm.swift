public import ArgumentParser
public import PhotoStreamLayout

/// The layouts that `--algorithm` knows.
enum LayoutAlgorithm: String, CaseIterable, ExpressibleByArgument {
    case masonry
    case flow
    case justified
    case grid
    case map
}

extension MasonryParameters.ColumnChoice: ExpressibleByArgument {}
extension MasonryParameters.Anchor: ExpressibleByArgument {}
extension JustifiedParameters.WidowPolicy: ExpressibleByArgument {}
extension JustifiedParameters.Breaks: ExpressibleByArgument {}
extension ScrollDirection: ExpressibleByArgument {}
extension LayoutDirection: ExpressibleByArgument {}
extension Sectioning: ExpressibleByArgument {}

extension Size: ExpressibleByArgument {
    /// Reads `WIDTH,HEIGHT`, in points.
    public init?(argument: String) {
        guard let numbers = NumberList.numbers(argument, count: 2) else { return nil }
        self.init(width: numbers[0], height: numbers[1])
    }
}
