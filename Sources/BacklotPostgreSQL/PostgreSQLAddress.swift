internal import Backlot
internal import CPostgreSQL

/// The address of a PostgreSQL server, with the login: `postgres://[USER[:PASSWORD]@][HOST][:PORT]/[DATABASE][?NAME=VALUE…]`.
///
/// The parameters after `?` are those of libpq, such as `sslmode=verify-full&sslrootcert=/etc/ssl/certs/ca-certificates.crt` for
/// a server with TLS, or `host=/run/postgresql` for a folder with the server's socket. Missing values come from libpq's
/// environment variables, such as `PGPASSWORD`, and from its files, such as `~/.pgpass`. Several hosts, separated by commas, are
/// tried one after the other; with `target_session_attrs=read-write`, until one accepts writes.
///
/// ```swift
/// let address = try PostgreSQLAddress("postgres://app:secret@10.0.0.5/app?sslmode=require")
/// ```
public struct PostgreSQLAddress: Hashable, Sendable {
    /// The parameters of libpq, by name.
    let parameters: [String: String]

    /// Reads an address. Write reserved characters in a user's name or password, such as `@`, `/` and `%`, as `%40`, `%2F` and
    /// `%25`.
    ///
    /// - Throws: `PostgreSQLAddressError`, which never contains the password.
    public init(_ url: String) throws(PostgreSQLAddressError) {
        guard let (scheme, rest) = url.atScheme, ["postgres", "postgresql"].contains(scheme.lowercased()),
            !url.utf8.contains(0)
        else { throw .form }
        // libpq accepts the scheme in lowercase only.
        let text = "postgresql://\(rest)"
        var values = try Self.parse(text)
        for secret in ["password", "sslpassword"] where rest.contains("\(secret)=") {
            throw .secret(secret)
        }
        for name in ["replication", "client_encoding", "options", "service"] where values[name] != nil {
            throw .parameter(name)
        }
        guard values["host"]?.contains("@") != true else { throw .at }
        for port in values["port"]?.split(separator: ",", omittingEmptySubsequences: false) ?? []
        where !port.isEmpty && !((Int(port).map { (1...65_535).contains($0) } ?? false) && port.first != "+") {
            throw .port(String(port))
        }
        if let mode = values["sslmode"], !Self.modes.contains(mode) { throw .mode(mode) }
        values = values.filter { !$0.value.isEmpty }
        parameters = values
    }

    /// The parameters for each of the hosts, in their order. libpq itself would wait for a silent host until no time is left for
    /// the others.
    var hosts: [[String: String]] {
        let lists = ["host", "hostaddr", "port"].compactMap { name in
            parameters[name].map { (name, $0.split(separator: ",", omittingEmptySubsequences: false)) }
        }
        let count = lists.filter { $0.0 != "port" }.map(\.1.count).max() ?? 1
        return (0..<count).map { index in
            var values = parameters
            for (name, list) in lists {
                // A single port applies to all hosts.
                let value = list.count == 1 && name == "port" ? list.first : list.dropFirst(index).first
                values[name] = value.map { String($0) }
            }
            return values
        }
    }

    private static let modes = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"]

    /// The parameters that libpq reads in an address.
    private static func parse(_ url: String) throws(PostgreSQLAddressError) -> [String: String] {
        var message: UnsafeMutablePointer<CChar>?
        let options = unsafe PQconninfoParse(url, &message)
        defer {
            unsafe PQfreemem(message)
            unsafe PQconninfoFree(options)
        }
        guard var option = unsafe options else {
            let text = unsafe message.map { unsafe String(cString: $0) } ?? ""
            // Other messages of libpq may quote a part of the password.
            let unknown = "invalid URI query parameter: \""
            if let start = text.firstRange(of: unknown)?.upperBound {
                throw .parameter(String(text[start...].prefix { $0 != "\"" }))
            }
            throw .form
        }
        var values: [String: String] = [:]
        while let keyword = unsafe option.pointee.keyword {
            if let value = unsafe option.pointee.val {
                unsafe values[String(cString: keyword)] = unsafe String(cString: value)
            }
            unsafe option += 1
        }
        return values
    }
}

extension PostgreSQLAddress: CustomStringConvertible {
    /// The address without its password.
    public var description: String {
        var values = parameters
        let user = values.removeValue(forKey: "user")
        let hasPassword = values.removeValue(forKey: "password") != nil
        let login = user == nil && !hasPassword ? "" : "\(user ?? "")\(hasPassword ? ":***" : "")@"
        let name = values.removeValue(forKey: "dbname") ?? ""
        let port = values["port"]
        let host = values["host"] ?? ""
        // A folder, and lists, are possible in the query only.
        let isPlain = !host.contains { "/,".contains($0) } && port?.contains(",") != true
        if isPlain {
            values["host"] = nil
            values["port"] = nil
        }
        let place = isPlain ? (host.contains(":") ? "[\(host)]" : host) + (port.map { ":\($0)" } ?? "") : ""
        let query = values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: "&")
        return "postgres://\(login)\(place)/\(name)\(query.isEmpty ? "" : "?\(query)")"
    }
}

/// A mistake in the address of a PostgreSQL server.
public enum PostgreSQLAddressError: Error, Equatable, CustomStringConvertible {
    /// The text isn't such a URL.
    case form
    /// There is an `@` in the host, which may belong to the password.
    case at
    /// The port is not a number from 1 to 65535.
    case port(String)
    /// The parameter doesn't exist, or can't be set.
    case parameter(String)
    /// libpq doesn't know this `sslmode`, or this program doesn't offer it.
    case mode(String)
    /// The password is a parameter, so that messages would repeat it.
    case secret(String)

    /// The mistake, and the text to write instead.
    public var description: String {
        switch self {
        case .form: "write postgres://USER:PASSWORD@HOST:PORT/DATABASE, with %40 for @ and %25 for % in the password"
        case .at: "there is an @ in the host: write %40 for each @ in the password"
        case .port(let port): "'\(port)' is not a port: write a number from 1 to 65535"
        case .parameter(let name):
            "the parameter '\(name)' can't be set: write those of libpq, such as sslmode, sslrootcert or host"
        case .mode(let mode):
            "'\(mode)' is not an sslmode: write disable, prefer, require, verify-ca or verify-full"
        case .secret(let name):
            "the parameter \(name) can't be set here: write postgres://USER:PASSWORD@HOST/DATABASE, or set PGPASSWORD"
        }
    }
}
