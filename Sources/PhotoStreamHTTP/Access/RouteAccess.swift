import PhotoStreamModel

/// The clients that may use a route.
///
/// Every route is created with one, and all but a few need a scope: AccessTests lists those.
enum RouteAccess: Sendable, Equatable {
    /// Every client that can reach the server: the gallery's page and files, signing in and out, and the server's
    /// health. The route shows nothing of the file, or checks for a proof itself.
    case anyone
    /// Callers of this scope.
    case scope(AccessScope)
    /// Callers of this scope, and everyone with a signed address, which grants one thumbnail.
    case scopeOrSignature(AccessScope)

    /// The scope of callers without a signed address; `nil` if every client is allowed.
    var scope: AccessScope? {
        switch self {
        case .anyone: nil
        case .scope(let scope), .scopeOrSignature(let scope): scope
        }
    }

    /// Callers who may read.
    static let read = RouteAccess.scope(.read)
    /// Callers who may change photos.
    static let write = RouteAccess.scope(.write)
    /// Callers who may change streams.
    static let admin = RouteAccess.scope(.admin)
}
