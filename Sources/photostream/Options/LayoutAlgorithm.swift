public import ArgumentParser
public import PhotoStreamLayout

/// The layouts that `--algorithm` knows.
enum LayoutAlgorithm: String, CaseIterable, ExpressibleByArgument {
    case masonry
}

extension MasonryParameters.ColumnChoice: ExpressibleByArgument {}
