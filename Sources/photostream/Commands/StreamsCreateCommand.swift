import ArgumentParser
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// `photostream streams create`.
struct StreamsCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Make an empty stream, and the database file where it is missing.",
        discussion: """
            The order is chosen once. newest and oldest are by capture time, undated photos last; manual is the order of \
            import, changed by moves only. Of photos of one time the one imported first comes first, in every order.

            EXAMPLES:
              photostream streams create holiday
              photostream streams create "slide show" --order manual
            """)

    @Argument(help: "The stream's name.", transform: StreamName.init(_:))
    var name: StreamName

    @Option(help: "The order of its photos, for good.")
    var order = StreamOrder.newest

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let service = try common.open(.readWrite)
        try service.createStream(name, order: order)
        try service.close()
        guard !common.json else {
            return try StandardOutput.write(json: { writer in
                writer.object { writer in
                    writer.member("stream", value: name.rawValue)
                    writer.member("order", value: order.rawValue)
                }
            })
        }
        try StandardOutput.write(line: "created stream \"\(name)\", \(order.words)")
    }
}
