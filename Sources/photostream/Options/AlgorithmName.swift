public import ArgumentParser
public import PhotoStreamLayout
public import PhotoStreamWire

extension AlgorithmName: ExpressibleByArgument {}
extension MasonryParameters.ColumnChoice: ExpressibleByArgument {}
extension MasonryParameters.Anchor: ExpressibleByArgument {}
extension JustifiedParameters.WidowPolicy: ExpressibleByArgument {}
extension JustifiedParameters.Breaks: ExpressibleByArgument {}
extension ScrollDirection: ExpressibleByArgument {}
extension LayoutDirection: ExpressibleByArgument {}
extension Sectioning: ExpressibleByArgument {}

extension ArgumentHelp {
    /// The help of a layout option.
    static func layout(_ option: LayoutOption) -> ArgumentHelp {
        ArgumentHelp(stringLiteral: option.summary).named(option.valueName)
    }

    private func named(_ valueName: String?) -> ArgumentHelp {
        var help = self
        help.valueName = valueName
        return help
    }
}
