import ArgumentParser
import PhotoStreamLayout

/// Options of sections and of what stands around their photos.
struct SectionOptions: ParsableArguments {
    @Option(
        name: .customLong("section-by"),
        help: ArgumentHelp("What makes a new section; without it all is one. (default: none)", valueName: "unit"))
    var sectioning: Sectioning?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The margin around a section's photos, in points. (default: 0,0,0,0)", valueName: "t,l,b,r"),
        transform: EdgeInsets.init(text:))
    var sectionInset: EdgeInsets?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("A section header's extent along the scroll axis, in points. (default: 0)", valueName: "e"))
    var headerSize: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("A section footer's extent along the scroll axis, in points. (default: 0)", valueName: "e"))
    var footerSize: Double?

    @Flag(help: "Keep headers in the rectangle that is asked for while their section is in it.")
    var pinHeaders = false

    @Flag(help: "Keep footers in the rectangle that is asked for while their section is in it.")
    var pinFooters = false

    @Flag(help: "Put a background behind each section.")
    var sectionBackground = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Not masonry, not map: how thick the separator between two lines is, in points. (default: 0)",
            valueName: "e"))
    var separatorThickness: Double?

    func validate() throws {
        if pinHeaders, headerSize ?? 0 == 0 { throw ValidationError("--pin-headers is given without --header-size") }
        if pinFooters, footerSize ?? 0 == 0 { throw ValidationError("--pin-footers is given without --footer-size") }
    }

    var parameters: SectionParameters {
        SectionParameters(
            sectioning: sectioning ?? .none, inset: sectionInset ?? .zero, headerReferenceSize: headerSize ?? 0,
            footerReferenceSize: footerSize ?? 0, headersPinToVisibleBounds: pinHeaders,
            footersPinToVisibleBounds: pinFooters, hasBackground: sectionBackground,
            separatorThickness: separatorThickness ?? 0)
    }

    /// The options that were given.
    var given: [String] {
        var given = GivenOptions()
        given.add("--section-by", sectioning != nil)
        given.add("--section-inset", sectionInset != nil)
        given.add("--header-size", headerSize != nil)
        given.add("--footer-size", footerSize != nil)
        given.add("--pin-headers", pinHeaders)
        given.add("--pin-footers", pinFooters)
        given.add("--section-background", sectionBackground)
        given.add("--separator-thickness", separatorThickness != nil)
        return given.names
    }
}
