import ArgumentParser
import Backlot

/// The options of a server with mocks that say who may drive it, and from where.
struct MockControlOptions: ParsableArguments {
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "An origin whose web pages may read answers, such as https://app.example.com; '*' for any.",
            discussion: "May be there several times. Cookies may come along from those that are named.",
            valueName: "origin"
        )
    )
    var cors: [String] = []

    @Option(
        help: ArgumentHelp(
            "Who sends 'Authorization: Bearer' and this may give commands at /__admin, from anywhere, and nobody else.",
            discussion: """
                Without the option: the environment's ADMIN_TOKEN. Without both, programs of this machine may, as long as \
                the server listens on a loopback address.
                """,
            valueName: "token"
        )
    )
    var adminToken: String?

    func validate() throws {
        for origin in cors where origin != "*" {
            guard Self.isOrigin(origin) else {
                throw ValidationError(
                    "--cors is '\(origin)': write an origin such as https://app.example.com or http://localhost:3000, or '*'."
                )
            }
        }
        if cors.contains("*"), cors.count > 1 {
            throw ValidationError("--cors '*' means any origin: leave out the others.")
        }
        if let adminToken { try Self.check(adminToken, "--admin-token") }
    }

    /// The middleware for web clients; nil where none are expected.
    var middleware: CORS? {
        if cors.isEmpty { return nil }
        return cors == ["*"] ? CORS(.any) : CORS(.named(Set(cors)), allowsCredentials: true)
    }

    /// Who may give commands to a server that listens on `host`.
    func access(host: String, environment: (String) -> String? = ListenSettings.environment) throws -> LocalAccess {
        var token = adminToken
        if token == nil, let text = environment("ADMIN_TOKEN") {
            try Self.check(text, "The environment's ADMIN_TOKEN")
            token = text
        }
        return LocalAccess(host: host, token: token)
    }

    /// Scheme, host and port, as browsers write them (RFC 6454, section 6.2).
    private static func isOrigin(_ text: String) -> Bool {
        guard let scheme = ["http://", "https://"].first(where: text.lowercased().hasPrefix) else { return false }
        let authority = text.dropFirst(scheme.count)
        return !authority.isEmpty
            && authority.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"/?#@,".utf8.contains($0) }
    }

    private static func check(_ token: String, _ name: String) throws {
        guard token.utf8.count >= 8, token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw ValidationError(
                "\(name) must be 8 or more ASCII characters without blanks, such as 'openssl rand -hex 16' makes."
            )
        }
    }
}
