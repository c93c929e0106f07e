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
    /// The share whose link the caller has; `nil` for every other caller.
    package let share: ShareGrant?

    /// Creates the grant of a caller who needs no token.
    ///
    /// - Parameters:
    ///   - scope: The scope.
    ///   - name: The name of the user; `nil` for every program of this machine.
    public init(_ scope: AccessScope, name: String? = nil) {
        self.scope = scope
        (stream, self.name, tokenID, expiresAtMilliseconds, share) = (nil, name, nil, nil, nil)
    }

    init(_ row: TokenRow) {
        (scope, stream, name, tokenID) = (row.scope, row.stream, row.name, row.id)
        (expiresAtMilliseconds, share) = (row.expiresAtMilliseconds, nil)
    }

    /// The grant of everyone who has a link: its name is the owner's, and not for them.
    init(_ row: ShareRow, key: [UInt8]) {
        (scope, stream, name, tokenID) = (.read, row.stream, nil, nil)
        (expiresAtMilliseconds, share) = (row.expiresAtMilliseconds, ShareGrant(row, key: key))
    }
}

/// The rights of everyone who has the link of a share.
package struct ShareGrant: Hashable, Sendable {
    /// The row id of the share, by which a later look sees whether it is still valid.
    package let id: Int64
    /// The parts that it shows in addition to the photos.
    package let options: ShareOptions
    private let key: [UInt8]

    init(_ row: ShareRow, key: [UInt8]) {
        (id, options, self.key) = (row.id, ShareOptions(row), key)
    }

    /// Hides what the share does not show.
    package var seal: ShareSeal { ShareSeal(key) }
}
