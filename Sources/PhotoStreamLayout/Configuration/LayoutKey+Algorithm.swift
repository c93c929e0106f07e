// The list of all algorithms. A new one is a folder with its parameters, its algorithm and its frames, a case of
// `LayoutConfiguration.Algorithm`, and a line in each switch of this file; nothing else in the engine names an
// algorithm. CONTRIBUTING.md lists the steps outside the engine.

extension LayoutKey {
    /// The algorithms, their parameters in device pixels.
    public enum Algorithm: Hashable, Sendable {
        /// Columns of one width, items of any height.
        case masonry(Masonry)
        /// Lines of items that keep their sizes.
        case flow(Flow)
        /// Lines that fill the container exactly.
        case justified(Justified)
        /// Cells of one size.
        case grid(Grid)
        /// Photos at the places where they were taken.
        case map(Map)
        /// The rule of another module, which cannot be named in a text.
        case placed(AnyPlacementRule)
    }
}

extension LayoutKey.Algorithm {
    /// The parameters of any algorithm.
    var parameters: any AlgorithmParameters {
        switch self {
        case .masonry(let parameters): parameters
        case .flow(let parameters): parameters
        case .justified(let parameters): parameters
        case .grid(let parameters): parameters
        case .map(let parameters): parameters
        case .placed(let rule): rule
        }
    }

    /// Resolves the parameters of a configuration, for a key whose other options are resolved.
    init(_ algorithm: LayoutConfiguration.Algorithm, in key: LayoutKey) throws(LayoutError) {
        switch algorithm {
        case .masonry(let parameters): self = .masonry(try LayoutKey.Masonry(parameters, in: key))
        case .flow(let parameters): self = .flow(try LayoutKey.Flow(parameters, scale: key.displayScale))
        case .justified(let parameters):
            self = .justified(try LayoutKey.Justified(parameters, scale: key.displayScale))
        case .grid(let parameters): self = .grid(try LayoutKey.Grid(parameters, in: key))
        case .map(let parameters): self = .map(try LayoutKey.Map(parameters, scale: key.displayScale))
        case .placed(let rule):
            guard rule.hasValidName else { throw .invalidLayoutName(rule.base.name) }
            self = .placed(rule)
        }
    }

    /// Reads the fields of one algorithm.
    typealias Reader = (inout LayoutKeyFields) throws(LayoutError) -> LayoutKey.Algorithm

    /// The reader of an algorithm's fields; `nil` for other names.
    ///
    /// A text contains no code, so it cannot name a placement rule.
    static func reader(named name: Substring) -> Reader? {
        switch name {
        case LayoutKey.Masonry.name[...]: { fields throws(LayoutError) in .masonry(try LayoutKey.Masonry(&fields)) }
        case LayoutKey.Flow.name[...]: { fields throws(LayoutError) in .flow(try LayoutKey.Flow(&fields)) }
        case LayoutKey.Justified.name[...]:
            { fields throws(LayoutError) in .justified(try LayoutKey.Justified(&fields)) }
        case LayoutKey.Grid.name[...]: { fields throws(LayoutError) in .grid(try LayoutKey.Grid(&fields)) }
        case LayoutKey.Map.name[...]: { fields throws(LayoutError) in .map(try LayoutKey.Map(&fields)) }
        default: nil
        }
    }

    /// The algorithm's name, as options and keys spell it.
    public var name: String { type(of: parameters).name }
}

/// The parameters of one algorithm in a key, in device pixels.
protocol AlgorithmParameters: Hashable, Sendable {
    /// The algorithm's name, as options and keys spell it.
    static var name: String { get }

    /// The fields of a key's text that only this algorithm has.
    var fields: [String] { get }

    /// The number of columns that have to fit into the container.
    var columnCountThatFits: Int? { get }

    /// Whether captions are shown.
    var showsCaptions: Bool { get }

    /// Whether there is space between items or lines.
    var hasSpacing: Bool { get }

    /// Throws ``LayoutError/unsupported(option:by:)`` if an option has no meaning for the algorithm.
    func check(_ key: LayoutKey) throws(LayoutError)

    /// Whether every number could have come from a configuration.
    ///
    /// - Parameters:
    ///   - longest: The maximum length other than the container's, in device pixels.
    ///   - container: The container's length.
    /// - Returns: Whether all are within their ranges.
    func isWithin(longest: Int64, container: Int64) -> Bool

    /// The length of the content across the scroll axis, if the container does not limit it; else `nil`.
    func contentLength(at scale: DisplayScale) -> Int64?

    /// The algorithm of a key with these parameters.
    func layoutAlgorithm(of key: LayoutKey) -> any LayoutAlgorithm
}

extension AlgorithmParameters {
    var columnCountThatFits: Int? { nil }
    var showsCaptions: Bool { true }
    var hasSpacing: Bool { true }
    func check(_ key: LayoutKey) throws(LayoutError) {}
    func contentLength(at scale: DisplayScale) -> Int64? { nil }
}

extension AnyPlacementRule: AlgorithmParameters {
    static let name = "custom"
    var fields: [String] { ["name=\(base.name)"] }
    func isWithin(longest: Int64, container: Int64) -> Bool { true }
    func layoutAlgorithm(of key: LayoutKey) -> any LayoutAlgorithm { PlacedAlgorithm(key, rule: self) }
}
