import PhotoStreamModel

/// The clients that may ask a route.
///
/// A route is not created without it, and all but a few need a scope: AccessTests names those.
enum RouteAccess: Sendable, Equatable {
    /// Every client that can reach the server: the gallery's page and files, signing in and out, and the server's health. The
    /// route shows nothing of the file, or looks for a proof itself.
    case anyone
    /// Callers of this scope.
    case scope(AccessScope)
    /// Callers of this scope, and everyone with a signed address, which gives one thumbnail.
    case scopeOrSignature(AccessScope)

    /// The scope of callers without a signed address; `nil` if everyone may ask.
    var scope: AccessScope? {
        switch self {
        case .anyone: nil
        case .scope(let scope), .scopeOrSignature(let scope): scope
        }
    }

    /// Callers who may ask questions.
    static let read = RouteAccess.scope(.read)
    /// Callers who may change photos.
    static let write = RouteAccess.scope(.write)
    /// Callers who may change streams.
    static let admin = RouteAccess.scope(.admin)
}
