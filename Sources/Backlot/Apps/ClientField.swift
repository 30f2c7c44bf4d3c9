internal import BacklotHTTP
package import HTTPTypes

/// The field of a request that holds the client's version.
///
/// ```swift
/// router.applin("/", clients: "0.28"..., clientField: "X-Client-Version") { addPages(to: $0) }
/// router.applin("/", clients: "0.34"..., clientField: .product("Applin")) { addPages(to: $0) }  // User-Agent: Shop/7 Applin/0.36
/// ```
public struct ClientField: Sendable, Equatable, ExpressibleByStringLiteral {
    /// The field's name.
    public let name: String
    /// The name of the product to read from a field that lists several; nil for a field with a version alone.
    public let product: String?

    /// Creates a field that holds a version alone, such as `X-Client-Version: 0.36`.
    public init(stringLiteral name: String) {
        self.init(name)
    }

    /// Creates a field that holds a version alone, such as `X-Client-Version: 0.36`.
    public init(_ name: String) {
        self.name = name
        product = nil
    }

    /// Whether the name is a valid field name, without another meaning for servers.
    package var isUsable: Bool { HTTPField.Name(name) != nil && !Self.taken.contains(name.lowercased()) }

    private static let taken: Set<String> = [
        "accept", "accept-encoding", "authorization", "connection", "content-length", "content-type", "cookie",
        "expect",
        "host", "te", "transfer-encoding", "upgrade",
    ]

    private init(_ name: String, product: String) {
        self.name = name
        self.product = product
    }

    /// A field that lists products with their versions (RFC 9110, section 10.1.5), such as `User-Agent: Shop/7 Applin/0.36`.
    public static func product(_ product: String, in name: String = "User-Agent") -> ClientField {
        ClientField(name, product: product)
    }

    /// The field in a client's request; empty for an invalid name.
    package func fields(telling version: ClientVersion) -> HTTPFields {
        guard let field = HTTPField.Name(name) else { return [:] }
        return [field: product.map { "\($0)/\(version)" } ?? "\(version)"]
    }

    /// The version in a field's value; nil if it can't be read.
    package func version(in value: String) -> ClientVersion? {
        guard value.utf8.count <= 1000 else { return nil }
        guard let product else { return ClientVersion(String(value[...].trimmed)) }
        for word in value.split(separator: " ") {
            let parts = word.split(separator: "/", maxSplits: 1)
            if parts.count == 2, parts[0].lowercased() == product.lowercased() {
                return ClientVersion(String(parts[1]))
            }
        }
        return nil
    }
}
