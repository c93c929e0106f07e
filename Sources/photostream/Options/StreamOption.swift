import ArgumentParser
import PhotoStreamModel

/// The stream that a subcommand speaks of.
struct StreamOption: ParsableArguments {
    @Option(
        name: .customLong("stream"), help: ArgumentHelp("The stream.", valueName: "name"),
        transform: StreamName.init(_:))
    var name: StreamName
}
