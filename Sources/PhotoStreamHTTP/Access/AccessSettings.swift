import Foundation
import NIOCore
public import PhotoStreamModel

/// The clients that may reach a server, and the names by which they call it.
///
///     var access = AccessSettings()
///     access.address = try ServerAddress("192.168.1.5")
///     access.hostNames = ["photos.example.org"]
public struct AccessSettings: Sendable {
    /// The address to listen on.
    public var address = ServerAddress.loopback
    /// The names, in addition to those of this machine and the addresses that it listens on, by which clients may call the
    /// server.
    public var hostNames: Set<String> = []
    /// Whether every request is allowed without a proof of its sender, for trials.
    ///
    /// A server refuses it together with an address that other machines can reach, ``hostNames`` or ``proxies``.
    public var isOpen = false
    /// The proxy servers that name their users.
    public var proxies: Set<ServerAddress> = []
    /// The field that contains the name; `nil` if there is none.
    public var userField: String?
    /// The scope of each user; that of `*` applies to all others.
    public var userScopes: [String: AccessScope] = [:]
    /// Whether the addresses of this machine are counted like those of other machines; tests use several as clients.
    package var countsThisMachine = false
    /// Whether the connection to other machines is secure: `Secure` cookies.
    var isSecure = false

    /// The defaults: this machine only, with tokens.
    public init() {}

    /// Checks that an open server is one of this machine alone.
    ///
    /// - Throws: ``ServerError/openToOthers``.
    func check() throws(ServerError) {
        guard isOpen else { return }
        guard address.isLoopback, hostNames.isEmpty, proxies.isEmpty else { throw .openToOthers }
    }

    /// Returns the address, or network, under which connections, requests and answers are counted; `nil` for this
    /// machine and for proxy servers, which have those of many clients.
    func counted(_ address: ServerAddress?) -> ServerAddress? {
        guard let address, countsThisMachine || !address.isLoopback, !proxies.contains(address) else { return nil }
        return address.network
    }
}

/// An IP address.
public struct ServerAddress: Hashable, Sendable, CustomStringConvertible {
    /// The address of this machine for itself.
    public static let loopback = ServerAddress(known: "127.0.0.1")

    /// The text, such as `127.0.0.1` or `::1`.
    public let description: String

    private init(known text: String) {
        description = text
    }

    /// Reads an address.
    ///
    /// - Parameter text: An IPv4 or IPv6 address, or `localhost`.
    /// - Throws: ``ServerError/invalidAddress(_:)``.
    public init(_ text: String) throws(ServerError) {
        guard text != "localhost" else {
            self = .loopback
            return
        }
        guard let address = try? SocketAddress(ipAddress: text, port: 0), let known = address.ipAddress else {
            throw .invalidAddress(text)
        }
        description = known
    }

    /// The address of one end of a connection; `nil` if it has none.
    init?(_ address: SocketAddress?) {
        guard let text = address?.ipAddress else { return nil }
        // An IPv4 client of an IPv6 socket.
        description = text.hasPrefix("::ffff:") && text.contains(".") ? String(text.dropFirst(7)) : text
    }

    /// The address under which a client is counted: the first 64 bits of an IPv6 address, since one machine can have
    /// all addresses that begin with them; any other address itself.
    ///
    /// Source: RFC 6177, section 2.
    var network: ServerAddress {
        var bytes = in6_addr()
        guard !isLoopback, unsafe inet_pton(AF_INET6, description, &bytes) == 1 else { return self }
        return unsafe withUnsafeBytes(of: &bytes) { bytes in
            let groups = stride(from: 0, to: 8, by: 2).map { place in
                unsafe String(UInt16(bytes[place]) << 8 | UInt16(bytes[place + 1]), radix: 16)
            }
            return ServerAddress(known: groups.joined(separator: ":") + "::/64")
        }
    }

    /// Whether only this machine can reach it.
    public var isLoopback: Bool { description.hasPrefix("127.") || description == "::1" }

    /// Whether it means all addresses of the machine.
    public var isWildcard: Bool { description == "0.0.0.0" || description == "::" }

    /// The address as part of a URL.
    public var inURL: String { description.contains(":") ? "[\(description)]" : description }
}
