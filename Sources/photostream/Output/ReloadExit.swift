import ArgumentParser
import PhotoStreamService

extension ReloadAnswer {
    /// Ends the command: what has changed cannot be told, which is neither an answer nor a failure.
    func exit() throws -> Never {
        try StandardOutput.flush()
        StandardError.write(sentence: description)
        throw ExitCode(3)
    }
}
