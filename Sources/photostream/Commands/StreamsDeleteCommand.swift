import ArgumentParser
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// `photostream streams delete`.
struct StreamsDeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete a stream with its photos and everything derived from them.",
        discussion: """
            A stream that holds photos is deleted with --yes only; without it the exit code is 1.

            Photos are deleted in batches, so that nobody waits for the file long, and the stream last: killed at any \
            moment, the same command finishes the job.
            """)

    @Argument(help: "The stream's name.", transform: StreamName.init(_:))
    var name: StreamName

    @Flag(help: "Delete it although it holds photos.")
    var yes = false

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let service = try common.open()
        let count = try deleteStream(of: service)
        try service.close()
        guard !common.json else {
            return try StandardOutput.write(json: { writer in
                writer.object { writer in
                    writer.member("stream", value: name.rawValue)
                    writer.member("deleted", value: count)
                }
            })
        }
        try StandardOutput.write(line: "deleted stream \"\(name)\" with \(count.counting("photo"))")
    }

    private func deleteStream(of service: PhotoStreamService) throws -> Int {
        do {
            return try service.deleteStream(name, evenWithPhotos: yes)
        } catch StreamServiceError.streamNotEmpty(let name, let count) {
            throw CommandError("stream \"\(name)\" holds \(count.counting("photo")); --yes deletes them with it")
        }
    }
}
