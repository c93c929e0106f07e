import ArgumentParser
import PhotoStreamService

/// How many photos an answer may hold.
struct LimitOption: ParsableArguments {
    @Option(
        name: .customLong("limit"), parsing: .unconditional,
        help: ArgumentHelp(
            "The most photos to answer, 1 to 1000. (default: \(PhotoStreamService.defaultLimit))", valueName: "n"))
    var given: Int?

    var count: Int { given ?? PhotoStreamService.defaultLimit }

    func validate() throws {
        try Self.check(count)
    }

    /// Checks a limit of whatever is counted.
    static func check(_ count: Int) throws {
        guard (1...PhotoStreamService.maximumLimit).contains(count) else {
            let error = StreamServiceError.invalidLimit(count, maximum: PhotoStreamService.maximumLimit)
            throw ValidationError(error.description)
        }
    }
}
