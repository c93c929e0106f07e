import PhotoStreamModel

/// The clients that may ask a route.
enum RouteAccess: Sendable, Equatable {
    /// Every client that can reach the server: a page that asks for a token, and the state of the server.
    case anyone
    /// Callers of this scope.
    case scope(AccessScope)

    /// Callers who may ask questions.
    static let read = RouteAccess.scope(.read)
    /// Callers who may change photos.
    static let write = RouteAccess.scope(.write)
    /// Callers who may change streams.
    static let admin = RouteAccess.scope(.admin)
}
