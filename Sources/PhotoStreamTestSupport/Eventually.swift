package import Foundation

/// The time after which a wait for a condition fails, also on a machine that does much else.
package let waitLimit = Duration.seconds(240)

/// Waits until a condition holds.
///
///     #expect(try eventually { try server.client("GET", "/readyz").status == 503 })
///
/// Tests always wait with this function, never for a fixed time: it returns as soon as possible, and a slow machine
/// makes a test slower instead of making it fail.
///
/// - Parameters:
///   - limit: The time after which the wait fails.
///   - condition: The condition, checked every 10 milliseconds.
/// - Returns: Whether the condition became true within the limit.
/// - Throws: Any error of `condition`, immediately.
package func eventually(within limit: Duration = waitLimit, _ condition: () throws -> Bool) rethrows -> Bool {
    let deadline = ContinuousClock.now + limit
    while try !condition() {
        guard ContinuousClock.now < deadline else { return false }
        Thread.sleep(forTimeInterval: 0.01)
    }
    return true
}

/// The built command, which is next to the test bundle.
package enum BuiltCommand {
    /// Its location.
    package static let url = URL(filePath: CommandLine.arguments[0])
        .resolvingSymlinksInPath().deletingLastPathComponent().appending(path: "photostream")
}
