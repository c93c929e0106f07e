import Foundation
import Logging
import PhotoStreamHTTP
import PhotoStreamService

/// Prints the link by which the person who started a server signs in.
struct SignInOutput {
    let service: PhotoStreamService
    /// The address of the server as this person reaches it, such as `http://127.0.0.1:8080`.
    let address: String
    let logger: Logger

    /// Makes a link and prints it as the second line, after the address.
    ///
    /// It runs on a separate thread, since a primary that does not answer must not delay requests. The server also runs
    /// without a link: existing tokens, sessions and shares are valid.
    func begin() {
        Thread.detachNewThread { [self] in
            do {
                let link = try service.createOperatorsLink()
                try StandardOutput.write(line: "sign in: \(address)\(link.path) (once, within ten minutes)")
                try StandardOutput.flush()
            } catch is ClosedOutput {
                return
            } catch {
                logger.warning("there is no sign-in link", metadata: ["reason": "\(error)"])
            }
        }
    }
}

/// A QR code in the terminal, drawn by `qrencode`.
enum QRCode {
    /// Draws a text as a code to standard error; does nothing if that is not a terminal.
    static func write(_ text: String) {
        guard StandardError.isTerminal else { return }
        guard let program = HelperProgram.locate("qrencode") else {
            return StandardError.write("Install qrencode to see its QR code here.\n")
        }
        let process = Process()
        let input = Pipe()
        process.executableURL = program
        // The text is a secret, and other users of the machine see arguments.
        process.arguments = ["--type", "ANSIUTF8", "--margin", "2", "--output", "-"]
        (process.standardInput, process.standardOutput) = (input, FileHandle.standardError)
        guard (try? process.run()) != nil else { return }
        try? input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
