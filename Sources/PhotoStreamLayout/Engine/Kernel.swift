/// The algorithm of a layout with all that it needs of the key.
enum Kernel: Hashable, Sendable {
    case masonry(MasonryKernel)
    /// Cells of one size, whose places follow from their positions.
    case uniform(UniformCells)
    case flow(FlowKernel)
    case justified(JustifiedKernel)
    case custom(CustomKernel)

    init(_ key: LayoutKey) {
        switch key.algorithm {
        case .masonry(let masonry): self = .masonry(MasonryKernel(key, masonry))
        case .grid(let grid): self = .uniform(UniformCells(key, grid))
        case .flow(let flow):
            // Captions make lines of different thickness; without them equal sizes need no fold.
            if case .uniform(let size) = flow, key.captionExtent == 0 {
                self = .uniform(UniformCells(key, size))
            } else {
                self = .flow(FlowKernel(key, flow))
            }
        case .justified(let justified): self = .justified(JustifiedKernel(key, justified))
        case .custom(let layout): self = .custom(CustomKernel(key, layout))
        }
    }

    /// What the algorithm remembers before the first item of a section.
    var initialState: AlgorithmState {
        switch self {
        case .masonry(let masonry): .masonry(MasonryState(columnCount: masonry.columns.count))
        case .uniform: .cells(0)
        case .flow, .justified: .line(OpenLine())
        case .custom(let custom): .custom(custom.initialRest)
        }
    }
}
