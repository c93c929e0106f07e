public import PhotoStreamLayout

extension LayoutConfiguration.Algorithm {
    /// A custom layout, such as `.custom(Carousel(itemExtent: 400))`.
    ///
    /// - Parameter rule: The rule that places the items of a section.
    /// - Returns: The algorithm.
    public static func custom(_ rule: some PlacementRule) -> LayoutConfiguration.Algorithm {
        .placed(AnyPlacementRule(rule))
    }
}
