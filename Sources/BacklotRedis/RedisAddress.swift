public import Backlot
internal import FoundationEssentials

/// The address of a Redis or Valkey server, with the login: `redis://[[USER]:PASSWORD@]HOST[:PORT][/DB]`, or `rediss://…` for a
/// server with TLS.
public struct RedisAddress: Hashable, Sendable {
    /// The host's name, or its IP address.
    public var host: String
    /// The port.
    public var port: Int
    /// The number of the database.
    public var database: Int
    /// The name to log in with; nil for the default user.
    public var user: String?
    /// The password; nil if the server doesn't require one.
    public var password: String?
    /// Whether the connection is encrypted.
    public var isSecure: Bool

    /// Creates an address. The database's number must be at least 0.
    public init(
        host: String,
        port: Int = 6379,
        database: Int = 0,
        user: String? = nil,
        password: String? = nil,
        isSecure: Bool = false
    ) {
        self.isSecure = isSecure
        self.host = host
        self.port = port
        self.database = database
        self.user = user
        self.password = password
    }

    /// Reads an address. Write reserved characters in a user's name or password, such as `@`, `/` and `%`, as `%40`, `%2F` and
    /// `%25`.
    ///
    /// - Throws: `RedisAddressError`, which never contains the password.
    public init(_ url: String) throws(RedisAddressError) {
        switch url.atScheme?.scheme.lowercased() {
        case "redis": isSecure = false
        case "rediss": isSecure = true
        default: throw .form
        }
        guard let parts = URLComponents(string: url), parts.query == nil, parts.fragment == nil else { throw .form }
        guard let host = parts.host, !host.isEmpty else { throw .host }
        self.host = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        port = parts.port ?? 6379
        guard (1...65_535).contains(port) else { throw .port("\(port)") }
        let path = parts.path.dropFirst()
        guard let database = path.isEmpty ? 0 : Int(path), database >= 0, !path.hasPrefix("+") else {
            throw .database(String(path))
        }
        self.database = database
        user = parts.user.flatMap { $0.isEmpty ? nil : $0 }
        password = parts.password.flatMap { $0.isEmpty ? nil : $0 }
        guard user == nil || password != nil else { throw .noPassword }
    }
}

extension RedisAddress: CustomStringConvertible {
    /// The address without its password.
    public var description: String {
        let secret = password == nil ? "" : "\(user ?? ""):***@"
        return
            "\(isSecure ? "rediss" : "redis")://\(secret)\(host.contains(":") ? "[\(host)]" : host):\(port)/\(database)"
    }
}

/// A mistake in the address of a Redis server.
public enum RedisAddressError: Error, Equatable, CustomStringConvertible {
    /// The text isn't such a URL.
    case form
    /// The host is missing.
    case host
    /// The port is invalid.
    case port(String)
    /// The database isn't a number.
    case database(String)
    /// There is a user without a password.
    case noPassword

    /// The mistake, and the text to write instead.
    public var description: String {
        switch self {
        case .form: "write redis://HOST:PORT/DB, or redis://:PASSWORD@HOST:PORT/DB"
        case .host: "the host is missing: write redis://HOST:PORT/DB"
        case .port(let port): "\(port) is not a port: write a number from 1 to 65535"
        case .database(let text): "'\(text)' is not a database: write its number, such as redis://HOST:PORT/0"
        case .noPassword: "there is a user without a password: write redis://USER:PASSWORD@HOST:PORT/DB"
        }
    }
}

extension SessionStoreKind {
    /// On a server of Redis or Valkey: `redis://[:PASSWORD@]HOST:PORT/DB`, or `rediss://…` over TLS, with a certificate that the
    /// system trusts.
    public static var redis: SessionStoreKind {
        SessionStoreKind(form: "redis://[:PASSWORD@]HOST:PORT/DB", schemes: ["redis", "rediss"]) {
            text throws(SessionStoreKindError) in
            do throws(RedisAddressError) {
                let address = try RedisAddress(text)
                return SessionStoreChoice("on \(address)") { RedisSessionStore(address, logger: $0) }
            } catch {
                throw SessionStoreKindError("\(error)")
            }
        }
    }
}
