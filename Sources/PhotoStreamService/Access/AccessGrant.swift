public import PhotoStreamModel
import PhotoStreamStorage

/// The rights of a caller of the server.
public struct AccessGrant: Hashable, Sendable {
    /// The scope.
    public let scope: AccessScope
    /// The only stream that it is for; `nil` for all.
    public let stream: StreamName?
    /// The name of the token or the user; `nil` for every program of this machine.
    public let name: String?
    /// The row id of the token, by which a later look sees whether it is still valid; `nil` without one.
    package let tokenID: Int64?
    /// The time after which it ends, in milliseconds since 1970; `nil` for never.
    package let expiresAtMilliseconds: Int64?

    /// Creates the grant of a caller who needs no token.
    ///
    /// - Parameters:
    ///   - scope: The scope.
    ///   - name: The name of the user; `nil` for every program of this machine.
    public init(_ scope: AccessScope, name: String? = nil) {
        self.scope = scope
        (stream, self.name, tokenID, expiresAtMilliseconds) = (nil, name, nil, nil)
    }

    init(_ row: TokenRow) {
        (scope, stream, name, tokenID) = (row.scope, row.stream, row.name, row.id)
        expiresAtMilliseconds = row.expiresAtMilliseconds
    }
}
