import ArgumentParser
import EncodablePages
import FlyingFox
import FlyingSocks
import Foundation
import ServerAnnouncement

/// The sign-up page on FlyingFox, and TechEmpower's two tests, written as its users would: JSONEncoder for each request.
@main
struct PeerFlyingFox: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "peer-flyingfox")

    @Option(help: "The port of 127.0.0.1 to listen on; 0 takes a free one.")
    var port: UInt16 = 0

    func run() async throws {
        let server = HTTPServer(address: try .inet(ip4: "127.0.0.1", port: port), logger: .disabled)
        await server.appendRoute("GET /new_account") { _ in
            HTTPResponse(
                statusCode: .ok,
                headers: [.contentType: "application/vnd.applin_response"],
                body: try JSONEncoder().encode(EncodablePage.newAccount())
            )
        }
        await server.appendRoute("GET /plaintext") { _ in
            HTTPResponse(statusCode: .ok, headers: [.contentType: "text/plain"], body: Data("Hello, World!".utf8))
        }
        await server.appendRoute("GET /json") { _ in
            HTTPResponse(
                statusCode: .ok,
                headers: [.contentType: "application/json"],
                body: try JSONEncoder().encode(ArenaMessage())
            )
        }
        let running = Task { try await server.run() }
        try await server.waitUntilListening()
        if case .ip4(_, let port) = await server.listeningAddress { ListeningLine.announce(port: Int(port)) }
        try await running.value
    }
}
