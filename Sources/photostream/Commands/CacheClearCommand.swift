import ArgumentParser
import PhotoStreamService
import PhotoStreamWire

/// `photostream cache clear`.
struct CacheClearCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear",
        abstract: "Remove everything that is derived from the photos; it comes back at the next question.",
        discussion: """
            Triggers and indexes of the file that another program has dropped or changed are made again. Clients that ask \
            for changes are then told to reload, since the log has missed some.
            """)

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let service = try common.open()
        let count = try service.cacheStatus().layouts.count
        let restored = try service.clearDerived()
        try service.close()
        guard !common.json else {
            return try StandardOutput.write(json: { writer in
                writer.object { writer in
                    writer.member("cleared", value: count)
                    writer.key("restored")
                    writer.array(restored) { $0.value($1) }
                }
            })
        }
        try StandardOutput.write(line: "cleared \(count.counting("layout"))")
        for object in restored { try StandardOutput.write(line: "made the \(object) again") }
    }
}
