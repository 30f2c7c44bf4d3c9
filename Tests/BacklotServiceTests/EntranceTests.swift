import Backlot
import Testing

@testable import BacklotService

/// How the start-up lines lead people to the pages.
@Suite(.timeLimit(.minutes(5))) struct EntranceTests {
    private static func settings(_ options: [String: String], isTerminal: Bool) throws -> ServiceSettings {
        let stores: [SessionStoreKind] = [.memory]
        let sources = try SettingSources(options: options, environment: [:], file: "/nowhere/.env")
        return try ServiceSettings(name: "test", stores: stores, sources, isTerminal: isTerminal)
    }

    /// The lines after those about the apps and the network.
    private static func last(
        _ settings: ServiceSettings,
        isTerminal: Bool,
        isSecure: Bool = false,
        trust: [String] = []
    ) throws -> [String] {
        let address = try #require(SocketAddress(host: settings.host, port: 8080))
        let lines = StartUpLines(
            address: address,
            isSecure: isSecure,
            apps: [.init(name: "a", path: "/a/")],
            notes: [],
            trust: trust,
            entrance: settings.entrance,
            isTerminal: isTerminal
        ).lines
        return Array(lines.drop { line in !["Open", "Administration", "To see"].contains { line.hasPrefix($0) } })
    }

    private static let open = "Open http://127.0.0.1:8080/a/ in a browser to see the pages."
    private static func off(_ settings: String) -> String {
        "Administration and preview are off, since \(settings) other machines reach this server: to use them, set an --admin-token or an --admin-port, or leave \(settings.split(separator: " let")[0]) out."
    }
    private static let token =
        "Open http://127.0.0.1:8080/__preview/enter?token=TOKEN in a browser, with the --admin-token, to see the pages."

    private static let insecure =
        "To see the pages in a browser of another machine or phone, start with --tls-self-signed: preview needs https there."

    @Test(
        arguments: [
            ([:], false, [open]), ([:], true, [open]), (["host": "0.0.0.0"], false, [off("--host lets")]),
            (["trusted-proxies": "10.0.0.1"], false, [off("--trusted-proxies lets")]),
            (["proxy-protocol": "10.0.0.1"], false, [off("--proxy-protocol lets")]),
            (["host": "::", "trusted-proxies": "10.0.0.1"], false, [off("--host and --trusted-proxies let")]),
            (["admin": "off"], true, []),
            (["admin-port": "0"], true, []),
            (["host": "0.0.0.0", "admin": "off"], true, []), (["host": "0.0.0.0", "admin-port": "0"], true, []),
            (["admin-token": "abcdefghijklmnop"], true, [token]),
            (["admin-token": "abcdefghijklmnop", "host": "0.0.0.0"], true, [token]),
            (["admin-token": "abcdefghijklmnop", "host": "192.0.2.7"], true, [insecure]),
            (["host": "192.0.2.7"], true, [insecure]),
        ] as [([String: String], Bool, [String])]
    )
    func `What the last line says`(options: [String: String], isTerminal: Bool, expected: [String]) async throws {
        let settings = try Self.settings(options, isTerminal: isTerminal)
        #expect(try Self.last(settings, isTerminal: isTerminal) == expected)
    }

    @Test func `A token is made for a person at a terminal alone`() async throws {
        let settings = try Self.settings(["host": "0.0.0.0"], isTerminal: true)
        guard case .made(let token) = settings.entrance else {
            Issue.record("\(settings.entrance)")
            return
        }
        #expect(token.utf8.count == 32)
        #expect(settings.access.isToken(token) && settings.ownAccess.isToken(token))
        #expect(settings.access.isToken("") == false)
        let again = try Self.settings(["host": "0.0.0.0"], isTerminal: true)
        #expect(!again.access.isToken(token))
        // Over http, only this machine may see them.
        for isTerminal in [true, false] {
            let lines = try Self.last(settings, isTerminal: isTerminal)
            #expect(
                lines.first?.hasPrefix("Open http://127.0.0.1:8080/__preview/enter?token=\(token) in") == true,
                "\(lines)"
            )
            #expect(Array(lines.dropFirst()) == [Self.insecure])
        }
        let lines = try Self.last(settings, isTerminal: true, isSecure: true)
        #expect(lines.first?.contains("https://127.0.0.1:8080/__preview/enter?token=\(token) ") == true, "\(lines)")
        // Who has to trust the server first sees that code.
        #expect(try Self.last(settings, isTerminal: true, isSecure: true, trust: ["a code"]).count == 1)
        #expect(try Self.last(settings, isTerminal: false, isSecure: true).count == 1)
        // A code of this size is for an address of the network, if there is one.
        #expect(lines.count == 1 || lines.count > 15)
    }
}
