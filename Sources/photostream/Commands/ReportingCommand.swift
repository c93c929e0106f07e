import ArgumentParser
import PhotoStreamModel
import PhotoStreamService

/// A subcommand that answers with a report.
protocol ReportingCommand: AsyncParsableCommand {
    /// Whether the report is printed as JSON.
    var json: Bool { get }

    /// Does the work, and returns its report.
    func report() async throws -> Report
}

extension ReportingCommand {
    func run() async throws { try await report().print(json: json) }
}

/// A subcommand that uses the streams of the file.
protocol StreamCommand: ReportingCommand {
    var common: CommonOptions { get }
    /// The use of the file; by default a query.
    var use: FileUse { get }

    /// Does the work on the open file, and returns its report.
    func report(of service: PhotoStreamService) async throws -> Report
}

/// A subcommand's use of the file.
enum FileUse {
    /// Reads, and stores the data computed for the answer once that has been printed.
    case query
    /// Reads, and stores nothing.
    case read
    /// Changes the contents of the file.
    case change
    /// Changes the contents of the file, and creates it if it does not exist.
    case create
}

extension StreamCommand {
    var use: FileUse { .query }
    var json: Bool { common.json }

    func report() async throws -> Report {
        let service =
            switch use {
            case .query, .read: try common.openForQuery()
            case .change: try common.open()
            case .create: try common.open(.readWrite)
            }
        var report = try await report(of: service)
        if use == .query {
            report.completion = { try common.end(service) }
        } else {
            try service.close()
        }
        return report
    }
}
