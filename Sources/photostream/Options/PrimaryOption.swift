import ArgumentParser
import Foundation
import PhotoStreamPrimary

/// The PostgreSQL database that the file replicates.
struct PrimaryOption: ParsableArguments {
    @Option(
        name: .customLong("primary"),
        help: ArgumentHelp(
            """
            The PostgreSQL database whose replica the file is, such as postgres://photos@db.example.org/photos. Its \
            password is best in PGPASSWORD or ~/.pgpass, since others see the options of programs. (default: \
            PHOTOSTREAM_PRIMARY)
            """,
            valueName: "address"))
    var text: String?

    /// The environment variable that replaces the option.
    static let variable = "PHOTOSTREAM_PRIMARY"

    /// The address; `nil` if none is given.
    ///
    /// - Throws: ``PrimaryError`` for a text that is not an address.
    func address() throws -> PrimaryAddress? {
        let text = text ?? ProcessInfo.processInfo.environment[Self.variable] ?? ""
        return text.isEmpty ? nil : try PrimaryAddress(text)
    }

    /// The address for a command about the primary.
    ///
    /// - Throws: `ValidationError` without one, ``PrimaryError`` for a text that is not an address.
    func requiredAddress() throws -> PrimaryAddress {
        guard let address = try address() else {
            throw ValidationError("--primary is missing: the address of the PostgreSQL database, or \(Self.variable)")
        }
        return address
    }

    /// The database, without a connection yet; `nil` if none is given.
    ///
    /// - Parameter observe: Receives each transaction of another program that has blocked this one for long.
    /// - Returns: The database.
    /// - Throws: ``PrimaryError`` for a text that is not an address.
    func primary(
        observe: @escaping @Sendable (HeldUp) -> Void = { StandardError.write(sentence: $0.description) }
    ) throws -> PostgresPrimary? { try address().map { PostgresPrimary($0, observe: observe) } }
}
