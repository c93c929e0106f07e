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
