import ArgumentParser
import PhotoStreamLayout
import PhotoStreamService
import PhotoStreamWire

/// Options of sections and of what stands around their photos.
struct SectionOptions: ParsableArguments {
    @Option(name: .customLong(LayoutOption.sectionBy.name), help: .layout(.sectionBy))
    var sectioning: Sectioning?

    @Option(parsing: .unconditional, help: .layout(.sectionInset), transform: EdgeInsets.init(text:))
    var sectionInset: EdgeInsets?

    @Option(parsing: .unconditional, help: .layout(.headerSize))
    var headerSize: Double?

    @Option(parsing: .unconditional, help: .layout(.footerSize))
    var footerSize: Double?

    @Flag(help: .layout(.pinHeaders))
    var pinHeaders = false

    @Flag(help: .layout(.pinFooters))
    var pinFooters = false

    @Flag(help: .layout(.sectionBackground))
    var sectionBackground = false

    @Option(parsing: .unconditional, help: .layout(.separatorThickness))
    var separatorThickness: Double?

    /// Puts what was given beside the other layout options.
    func put(into values: inout LayoutOptionValues) {
        values.sectionBy = sectioning
        values.sectionInset = sectionInset
        values.headerSize = headerSize
        values.footerSize = footerSize
        values.pinHeaders = pinHeaders
        values.pinFooters = pinFooters
        values.sectionBackground = sectionBackground
        values.separatorThickness = separatorThickness
    }
}
