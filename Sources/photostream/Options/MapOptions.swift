import ArgumentParser
import PhotoStreamLayout

/// Options of maps; the size of the photos is that of flows.
struct MapOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Map: how large the world is, 0 to 20; its side has 256 points, doubled with each. (default: 2)",
            valueName: "z"))
    var zoom: Int?

    /// The parameters of a map of photos of some size.
    func map(itemSize: Size?) -> MapParameters {
        let otherwise = MapParameters()
        return MapParameters(zoom: zoom ?? otherwise.zoom, itemSize: itemSize ?? otherwise.itemSize)
    }

    /// The options that were given.
    var given: [String] {
        var given = GivenOptions()
        given.add("--zoom", zoom != nil)
        return given.names
    }
}
