import ArgumentParser
import Foundation
import PhotoStreamPrimary
import PhotoStreamService
import PhotoStreamWire

/// `photostream doctor`: examines the file, the machine and the primary.
struct DoctorCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Examine the file, the machine and the primary, and say what to do.",
        discussion: """
            Looks at the file, its permissions, file system, write-ahead log, schema, structures, rows and derived data, at \
            the folders of pictures, the program that decodes them and the stored thumbnails, and at the disk, the clock, \
            and the limits of open files and watched folders. Nothing is changed. Everything that is stored is read, so a \
            large file takes a while.

            With --primary, looks at the PostgreSQL database, too: settings, triggers, the rights of roles, followers that \
            are gone, transactions that hold up writers, and rows that no file can hold. On a machine without the default \
            file it looks at the database alone.

            The exit code is 1 if there is a problem; warnings do not count.

            EXAMPLES:
              photostream doctor
              photostream doctor --database /srv/photos.sqlite --json
              photostream doctor --primary postgres://photos@db.lan/photos
            """)

    @OptionGroup var common: FileOptions

    @OptionGroup var primary: PrimaryOption

    private func findings() throws -> [Finding] {
        func show(_ subject: Finding.Subject) {
            StandardError.show(ProgressLine(texts: ["examining: \(subject.rawValue)"]))
        }
        let address = try primary.address()
        let isAlone = address != nil && common.database == FileOptions.usualDatabase
        var findings: [Finding] = []
        if !isAlone || FileManager.default.fileExists(atPath: common.database) {
            findings = Doctor(path: common.database).findings(progress: show)
        }
        guard let address else { return findings }
        show(.primary)
        return findings + PrimaryExamination.findings(at: address).map { Finding($0) }
    }

    var json: Bool { common.json }

    func report() throws -> Report {
        let findings = try findings()
        var report = Report(["findings": findings])
        let width = Finding.Subject.allCases.reduce(0) { max($0, $1.rawValue.count) }
        report.add(
            lines: findings.flatMap { finding in
                let state = finding.state == .good ? "ok" : finding.state.rawValue
                let line = "\(state.padding(to: 7))  \(finding.subject.rawValue.padding(to: width))  \(finding.text)"
                return [line] + (finding.advice.map { ["\("".padding(to: 9 + width))  to do: \($0)"] } ?? [])
            })
        if findings.contains(where: { $0.state == .problem }) { report.code = .failure }
        return report
    }
}

extension Finding {
    /// The finding about a primary as one of the doctor's.
    fileprivate init(_ finding: PrimaryExamination.Finding) {
        let state: State =
            switch finding.state {
            case .good: .good
            case .warning: .warning
            case .problem: .problem
            }
        self.init(about: .primary, is: state, finding.text, advice: finding.advice)
    }
}

extension String {
    fileprivate func padding(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
