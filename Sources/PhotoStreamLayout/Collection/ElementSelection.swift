/// A selection of elements of one kind.
public enum ElementSelection: Hashable, Sendable {
    /// All of them.
    case all
    /// Those at some index paths.
    case at(Set<IndexPath>)

    /// Whether the element at an index path is meant.
    public func contains(_ indexPath: IndexPath) -> Bool {
        switch self {
        case .all: true
        case .at(let paths): paths.contains(indexPath)
        }
    }

    /// Those of both.
    func union(_ other: ElementSelection) -> ElementSelection {
        guard case .at(let left) = self, case .at(let right) = other else { return .all }
        return .at(left.union(right))
    }
}
