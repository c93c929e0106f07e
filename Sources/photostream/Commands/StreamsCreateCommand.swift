import ArgumentParser
import PhotoStreamModel
import PhotoStreamService

/// `photostream streams create`.
struct StreamsCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Make an empty stream, and the database file where it is missing.")

    @Argument(help: "The stream's name.", transform: StreamName.init(_:))
    var name: StreamName

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let service = try common.open(.readWrite)
        try service.createStream(name)
        try service.close()
        guard !common.json else {
            return try StandardOutput.write(json: { $0.object { $0.member("stream", name.rawValue) } })
        }
        try StandardOutput.write(line: "created stream \"\(name)\"")
    }
}
