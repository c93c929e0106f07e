import ArgumentParser
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// `photostream streams rename`.
struct StreamsRenameCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename", abstract: "Give a stream another name; photos, layouts and cursors stay as they are.")

    @Argument(help: "The stream's name.", transform: StreamName.init(_:))
    var name: StreamName

    @Argument(help: "Its new name.", transform: StreamName.init(_:))
    var newName: StreamName

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let service = try common.open()
        try service.renameStream(name, to: newName)
        try service.close()
        guard !common.json else {
            return try StandardOutput.write(json: { $0.object { $0.member("stream", value: newName.rawValue) } })
        }
        try StandardOutput.write(line: "renamed stream \"\(name)\" to \"\(newName)\"")
    }
}
