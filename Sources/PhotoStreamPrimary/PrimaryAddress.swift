import CPostgres

/// The address of a PostgreSQL database, such as `postgres://photos@db.example.org/photos?sslmode=verify-full`.
///
/// It accepts everything that PostgreSQL's own programs accept in such an address; a password may also be in
/// `PGPASSWORD` or in `~/.pgpass`. A description never contains the password.
package struct PrimaryAddress: Sendable, CustomStringConvertible {
    /// The address as given, with its password.
    let connectionString: String
    /// The address without its password and its options.
    package let description: String
    /// The servers, in the order in which they are tried.
    let servers: [Server]

    /// One of the servers in an address.
    struct Server: Sendable {
        /// The address with this server alone, without its password and its options.
        let description: String
        /// The options that identify it, for PostgreSQL's library.
        let options: [(String, String)]
    }

    /// Checks an address.
    ///
    /// - Throws: ``PrimaryError`` with the reason, which does not repeat the address.
    package init(_ text: String) throws(PrimaryError) {
        guard text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") else {
            throw PrimaryError(.address, message: "the address of a primary begins with postgres://")
        }
        guard !text.utf8.contains(0) else {
            throw PrimaryError(.address, message: "the address of a primary contains a NUL character")
        }
        connectionString = text
        let parts = try Self.parts(of: text)
        let user = parts["user"].map { "\($0)@" } ?? ""
        let database = parts["dbname"] ?? ""
        servers = try Self.servers(of: parts).map { server in
            var own = server.parts
            // An empty value would leave the list of all servers in place.
            if own["port"] == "" { own["port"] = Self.defaultPort }
            return Server(
                description: "postgres://\(user)\(server.name)/\(database)",
                options: ["host", "hostaddr", "port"].compactMap { key in own[key].map { (key, $0) } })
        }
        let names = try Self.servers(of: parts).map(\.name).joined(separator: ",")
        description = "postgres://\(user)\(names)/\(database)"
    }

    /// The port of a server without one in the list.
    private static let defaultPort = "5432"

    /// Splits the lists of hosts and ports.
    private static func servers(
        of parts: [String: String]
    ) throws(PrimaryError) -> [(name: String, parts: [String: String])] {
        func list(_ key: String) -> [String] {
            parts[key]?.split(separator: ",", omittingEmptySubsequences: false).map(String.init) ?? []
        }
        let (hosts, addresses, ports) = (list("host"), list("hostaddr"), list("port"))
        let count = max(1, hosts.count, addresses.count)
        guard [0, count].contains(hosts.count), [0, count].contains(addresses.count),
            [0, 1, count].contains(ports.count)
        else { throw PrimaryError(.address, message: "the address of the primary does not have a port for each host") }
        return (0..<count).map { index in
            var own: [String: String] = [:]
            if !hosts.isEmpty { own["host"] = hosts[index] }
            if !addresses.isEmpty { own["hostaddr"] = addresses[index] }
            if !ports.isEmpty { own["port"] = ports[ports.count == 1 ? 0 : index] }
            let name = own["host"] ?? own["hostaddr"] ?? "localhost"
            let port = own["port"] ?? ""
            return (port.isEmpty ? name : "\(name):\(port)", own)
        }
    }

    /// Splits an address by PostgreSQL's rules.
    private static func parts(of text: String) throws(PrimaryError) -> [String: String] {
        var message: UnsafeMutablePointer<CChar>?
        guard let options = unsafe PQconninfoParse(text, &message) else {
            unsafe PQfreemem(message)
            // PostgreSQL's message repeats parts of the address, perhaps the password.
            throw PrimaryError(.address, message: "the address of the primary cannot be read")
        }
        defer { unsafe PQconninfoFree(options) }
        var parts: [String: String] = [:]
        var option = unsafe options
        while let keyword = unsafe option.pointee.keyword {
            if let value = unsafe option.pointee.val {
                unsafe parts[String(cString: keyword)] = String(cString: value)
            }
            unsafe option += 1
        }
        return parts
    }
}

/// A failure of the primary, with a sentence that names it and never contains a password.
package struct PrimaryError: Error, Sendable, CustomStringConvertible {
    /// The kinds of failures.
    package enum Kind: Hashable, Sendable {
        /// The address cannot be used.
        case address
        /// The database cannot be reached, or did not answer in time.
        case unavailable
        /// The database refused a statement.
        case refused
        /// A pooler in between does not keep a session for each connection.
        case pooler
        /// The database has no PhotoStream tables.
        case empty
        /// The database has the tables of another version.
        case schema
        /// An answer of the database could not be parsed.
        case malformed
    }

    /// The kind.
    package let kind: Kind
    /// The reason in one sentence.
    package let message: String
    /// The code of PostgreSQL, such as `40001`, if it refused a statement.
    package let state: String?

    init(_ kind: Kind, message: String, state: String? = nil) {
        (self.kind, self.message, self.state) = (kind, message, state)
    }

    package var description: String { message }
}
