import ArgumentParser
import PhotoStreamService
import PhotoStreamWire

/// `photostream cache clear`.
struct CacheClearCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear",
        abstract: "Remove everything that is derived from the photos; it comes back at the next question.")

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let service = try common.open()
        let count = try service.cacheStatus().layouts.count
        try service.clearDerived()
        try service.close()
        guard !common.json else {
            return try StandardOutput.write(json: { $0.object { $0.member("cleared", count) } })
        }
        try StandardOutput.write(line: "cleared \(count.counting("layout"))")
    }
}
