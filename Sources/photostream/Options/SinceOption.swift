import ArgumentParser
import PhotoStreamModel
import PhotoStreamService

/// The revision that a client has seen.
struct SinceOption: ParsableArguments {
    @Option(
        name: .customLong("since"), parsing: .unconditional,
        help: ArgumentHelp("The revision that an earlier answer named; 0 is before the first photo.", valueName: "r"))
    var number: Int64

    /// The revision.
    var revision: Revision { Revision(number) }

    func validate() throws {
        guard number >= 0 else {
            throw ValidationError(StreamServiceError.invalidRevision(number).description)
        }
    }
}
