import ArgumentParser
import PhotoStreamService
import PhotoStreamWire

/// Options of maps; the size of the photos is that of flows.
struct MapOptions: ParsableArguments {
    @Option(parsing: .unconditional, help: .layout(.zoom))
    var zoom: Int?

    /// Puts what was given beside the other layout options.
    func put(into values: inout LayoutOptionValues) {
        values.zoom = zoom
    }
}
