import ArgumentParser
import Foundation

/// The handling of signals between the start of `photostream serve` and the moment from which its server runs.
///
/// A server that ends before it runs has nothing to finish, so it ends with success, like a running one. A reload has
/// nothing to read again yet, and is ignored. `ServeCommand` replaces these handlers.
enum EarlySignals {
    /// Installs the handlers if the arguments run a server.
    ///
    /// Must be called before anything else, since a signal without a handler ends the process.
    ///
    /// - Parameter arguments: The arguments without the program's name.
    static func handle(for arguments: some Sequence<String>) {
        guard arguments.first(where: { !$0.hasPrefix("-") }) == ServeCommand.configuration.commandName else { return }
        signal(SIGHUP, SIG_IGN)
        for number in [SIGTERM, SIGINT] { signal(number) { _ in _exit(EXIT_SUCCESS) } }
    }
}
