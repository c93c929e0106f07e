import ArgumentParser
import PhotoStreamService
import PhotoStreamWire

/// `photostream cache budget`.
struct CacheBudgetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "budget",
        abstract: "Show or set how many bytes the layouts of a file may take.",
        discussion: """
            The number is kept in the file, for every process that uses it; a new file allows 256 MiB. What is beyond \
            is dropped at once, whole layouts, the least recently used first. 0 stores nothing.

            EXAMPLES:
              photostream cache budget
              photostream cache budget 512MB
            """)

    @Argument(
        help: ArgumentHelp("A number of bytes, or of KB, MB or GB, each 1,024 of the one before.", valueName: "bytes"),
        transform: ByteCount.init(_:))
    var budget: ByteCount?

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let service = try budget == nil ? common.openForQuery() : common.open()
        if let budget { try service.setCacheBudget(budget.bytes) }
        let status = try service.cacheStatus()
        try service.close()
        guard !common.json else {
            return try StandardOutput.write(json: { $0.value(CacheSize(status)) })
        }
        try StandardOutput.write(
            line: "\(Int(status.byteCount).grouped) of \(Int(status.budget).grouped) bytes")
    }
}
