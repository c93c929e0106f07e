/// The algorithm of a layout with all that it needs of the key: plain numbers, which are copied without a thought.
enum Kernel: Hashable, Sendable {
    case masonry(MasonryKernel)
    /// Cells of one size, whose places follow from their positions.
    case uniform(UniformCells)
    case flow(FlowKernel)
    case justified(JustifiedKernel)
    /// Photos on a map, and those without a place under it.
    case map(MapKernel)
    /// A layout of somebody's own: see ``LayoutEngine/custom``.
    case custom

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
        case .map(let map): self = .map(MapKernel(key, map))
        case .custom: self = .custom
        }
    }
}

extension LayoutEngine {
    /// What the algorithm remembers before the first item of a section.
    var initialAlgorithmState: AlgorithmState {
        switch kernel {
        case .masonry(let masonry): .masonry(MasonryState(columnCount: masonry.columns.count))
        case .uniform: .cells(0)
        case .flow: .line(OpenLine())
        case .justified(let justified): justified.initialState
        case .map: .map(0)
        case .custom: .custom(customKernel.initialRest)
        }
    }

    /// The layout of somebody's own.
    var customKernel: CustomKernel {
        guard let custom else { preconditionFailure("a layout of ours") }
        return custom
    }
}
