import ArgumentParser
import PhotoStreamService
import PhotoStreamWire

/// `photostream doctor`: examines the file and the machine.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Examine the file and the machine, and say what to do.",
        discussion: """
            Looks at the file, its permissions, file system, write-ahead log, schema, structures, rows and derived data, at \
            the folders of pictures, the program that decodes them and the stored thumbnails, and at the disk, the clock, \
            and the limits of open files and watched folders. Nothing is changed. Everything that is stored is read, so a \
            large file takes a while.

            The exit code is 1 if there is a problem; warnings do not count.

            EXAMPLES:
              photostream doctor
              photostream doctor --database /srv/photos.sqlite --json
            """)

    @OptionGroup var common: FileOptions

    func run() async throws {
        var progress = ProgressLine()
        let findings = Doctor(path: common.database).findings { subject in
            progress.update { ProgressLine.Parts(share: nil, texts: ["examining: \(subject.rawValue)"]) }
        }
        progress.clear()
        if common.json {
            try StandardOutput.write(json: { writer in
                writer.object { writer in
                    writer.key("findings")
                    writer.array(findings) { $0.value($1) }
                }
            })
        } else {
            let width = Finding.Subject.allCases.reduce(0) { max($0, $1.rawValue.count) }
            for finding in findings {
                let subject = finding.subject.rawValue.padding(to: width)
                let state = finding.state == .good ? "ok" : finding.state.rawValue
                try StandardOutput.write(line: "\(state.padding(to: 7))  \(subject)  \(finding.text)")
                if let advice = finding.advice {
                    try StandardOutput.write(line: "\("".padding(to: 9 + width))  to do: \(advice)")
                }
            }
        }
        try StandardOutput.flush()
        guard !findings.contains(where: { $0.state == .problem }) else { throw ExitCode.failure }
    }
}

extension String {
    fileprivate func padding(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
