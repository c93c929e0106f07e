import ArgumentParser
import PhotoStreamModel
import PhotoStreamService

/// The option of `photostream serve` for folders into which clients may upload pictures.
struct UploadOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Let clients upload pictures into a stream; their files are put into the folder, never over a file. May be repeated.",
            valueName: "stream=folder"),
        transform: Self.destination)
    var uploads: [PictureUploads.Destination] = []

    func validate() throws {
        for (number, destination) in uploads.enumerated()
        where uploads[..<number].contains(where: { $0.stream == destination.stream }) {
            throw ValidationError("--uploads names stream \"\(destination.stream)\" twice")
        }
    }

    private static func destination(_ text: String) throws -> PictureUploads.Destination {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
            throw ValidationError("\"\(text)\" is not a stream and a folder, such as holiday=Pictures/holiday")
        }
        return PictureUploads.Destination(stream: try asUsageError { try StreamName(parts[0]) }, folder: parts[1])
    }
}
