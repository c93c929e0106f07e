import ArgumentParser
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// `photostream photos show`.
struct PhotosShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show what is stored of a photo.")

    @OptionGroup var stream: StreamOption

    @Argument(help: "The photo's id.", transform: PhotoID.init(_:))
    var id: PhotoID

    @OptionGroup var common: CommonOptions

    func run() async throws {
        try common.query { session in
            try session.photo(id, of: stream.name)
        } show: { photo in
            try photo.print(json: common.json)
        }
    }
}

extension Photo {
    /// Prints what is stored of the photo.
    func print(json: Bool) throws {
        guard !json else { return try StandardOutput.write(json: { $0.value(self) }) }
        var fields = FieldList()
        add(to: &fields)
        try StandardOutput.write(fields.text.utf8)
    }
}
