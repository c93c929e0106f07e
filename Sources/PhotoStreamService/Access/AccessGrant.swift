public import PhotoStreamModel
import PhotoStreamStorage

/// The rights of a caller of the server.
///
/// Each is created from the proof of a right: a stored token or session, the link of a share, a name from a trusted
/// proxy server, or the operator's decision to open the server.
public struct AccessGrant: Hashable, Sendable {
    /// The scope.
    public let scope: AccessScope
    /// The only stream that it applies to; `nil` for all.
    public let stream: StreamName?
    /// The name of the token or the user; `nil` for callers of an open server, visitors, and holders of a link.
    public let name: String?
    /// The row id of the token, for later checks of its validity; `nil` without one.
    package let tokenID: Int64?
    /// The row id of the session; `nil` without one.
    package let sessionID: Int64?
    /// The time after which it expires, in milliseconds since 1970; `nil` for never.
    package let expiresAtMilliseconds: Int64?
    /// The share whose link the caller has; `nil` for every other caller.
    package let share: ShareGrant?
    /// The picture that a signed address grants, with the remaining seconds; `nil` for every other caller.
    package let picture: SignedPicture?

    /// The rights of every caller of an open server.
    public static let open = AccessGrant(.admin, name: nil)

    /// The rights of every caller of a route that shows nothing of the file.
    public static let visitor = AccessGrant(.read, name: nil)

    /// Creates the rights of a user whom a trusted proxy server names.
    public init(user name: String, scope: AccessScope) {
        self.init(scope, name: name)
    }

    private init(_ scope: AccessScope, name: String?) {
        self.scope = scope
        (stream, self.name, tokenID, sessionID, expiresAtMilliseconds, share) = (nil, name, nil, nil, nil, nil)
        picture = nil
    }

    /// Creates the rights of everyone with a signed address: to one picture, and to no stream.
    package init(picture key: PictureKey, seconds: Int64) {
        (scope, stream, name, tokenID, sessionID) = (.read, nil, nil, nil, nil)
        (expiresAtMilliseconds, share, picture) = (nil, nil, SignedPicture(key: key, seconds: seconds))
    }

    init(_ row: TokenRow) {
        (scope, stream, name, tokenID) = (row.scope, row.stream, row.name, row.id)
        (sessionID, expiresAtMilliseconds, share, picture) = (nil, row.expiresAtMilliseconds, nil, nil)
    }

    /// The rights of a browser with a session: those of its token.
    init(_ session: SessionRow) {
        (scope, stream) = (session.token.scope, session.token.stream)
        (name, tokenID, sessionID) = (session.token.name, session.token.id, session.id)
        (expiresAtMilliseconds, share, picture) = (session.expiresAtMilliseconds, nil, nil)
    }

    /// The rights of everyone who has a link; without its name, which only the owner should see.
    init(_ row: ShareRow, key: [UInt8]) {
        (scope, stream, name, tokenID, sessionID) = (.read, row.stream, nil, nil, nil)
        (expiresAtMilliseconds, share, picture) = (row.expiresAtMilliseconds, ShareGrant(row, key: key), nil)
    }
}

/// The picture of a signed address.
package struct SignedPicture: Hashable, Sendable {
    /// Its key.
    package let key: PictureKey
    /// The seconds for which the address is valid.
    package let seconds: Int64
}

/// The rights of everyone who has the link of a share.
package struct ShareGrant: Hashable, Sendable {
    /// The row id of the share, for later checks of its validity.
    package let id: Int64
    /// The parts that it shows in addition to the photos.
    package let options: ShareOptions
    private let key: [UInt8]

    init(_ row: ShareRow, key: [UInt8]) {
        (id, options, self.key) = (row.id, ShareOptions(row), key)
    }

    /// Hides everything that the share does not show.
    package var seal: ShareSeal { ShareSeal(key) }
}
