import Foundation

/// Waits until a condition holds.
///
///     #expect(try eventually { try server.client("GET", "/readyz").status == 503 })
///
/// A test waits in this way only, never for a fixed time: it goes on as soon as it can, and a slow machine makes it slower
/// instead of red.
///
/// - Parameters:
///   - limit: The time after which the condition is taken not to hold any more.
///   - condition: The condition, which is checked every 10 milliseconds.
/// - Returns: Whether the condition came to hold within the limit.
/// - Throws: The error that `condition` throws, at once.
package func eventually(within limit: Duration = .seconds(60), _ condition: () throws -> Bool) rethrows -> Bool {
    let deadline = ContinuousClock.now + limit
    while try !condition() {
        guard ContinuousClock.now < deadline else { return false }
        Thread.sleep(forTimeInterval: 0.01)
    }
    return true
}
