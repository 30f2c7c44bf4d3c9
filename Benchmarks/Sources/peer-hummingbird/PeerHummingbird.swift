import ArgumentParser
import EncodablePages
import Foundation
import Hummingbird
import Logging
import NIOCore
import ServerAnnouncement

/// The sign-up page on Hummingbird, and TechEmpower's two tests, written as its users would: JSONEncoder for each request.
@main
struct PeerHummingbird: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "peer-hummingbird")

    @Option(help: "The port of 127.0.0.1 to listen on; 0 takes a free one.")
    var port = 0

    func run() async throws {
        let router = Router()
        router.get("/new_account") { _, _ in
            let body = try JSONEncoder().encode(EncodablePage.newAccount())
            return Response(
                status: .ok,
                headers: [.contentType: "application/vnd.applin_response"],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: body))
            )
        }
        router.get("/plaintext") { _, _ in
            Response(
                status: .ok,
                headers: [.contentType: "text/plain", .server: "Hummingbird"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: "Hello, World!"))
            )
        }
        router.get("/json") { _, _ in
            Response(
                status: .ok,
                headers: [.contentType: "application/json", .server: "Hummingbird"],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: try JSONEncoder().encode(ArenaMessage())))
            )
        }
        var logger = Logger(label: "peer-hummingbird")
        logger.logLevel = .error
        let application = Application(
            router: router,
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
            onServerRunning: { channel in
                if let port = channel.localAddress?.port { ListeningLine.announce(port: port) }
            },
            logger: logger
        )
        try await application.runService()
    }
}
