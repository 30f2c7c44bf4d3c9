import Applin
import Backlot
import BacklotHummingbird
import HTTPTypes
import Hummingbird
import Logging

/// Answers the same bytes as Hummingbird does by itself (`/own`) and as it does by a Backlot router (`/mounted/text`), and the
/// sign-up page of the benchmarks (`/mounted/new_account`), to measure what the way through costs. See `measure`.
@main
struct HostingCost {
    /// As long as the sign-up page.
    private static let text = [UInt8](repeating: UInt8(ascii: "x"), count: 1000)

    static func main() async throws {
        let logger = Logger(label: "hosting-cost") { label in
            var handler = StreamLogHandler.standardError(label: label)
            handler.logLevel = .error
            return handler
        }
        let router = Hummingbird.Router(context: BasicRequestContext.self)
        router.add(middleware: try BacklotResponder(Self.backlot, below: "/mounted", logger: logger))
        router.get("/own") { _, _ in
            Hummingbird.Response(
                status: .ok,
                headers: [.contentType: "text/plain; charset=utf-8"],
                body: .init(byteBuffer: ByteBuffer(bytes: Self.text))
            )
        }
        let application = Application(
            router: router,
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { logger.critical("port=\($0.localAddress?.port ?? 0)=") },
            logger: logger
        )
        try await application.runService()
    }

    private static var backlot: Backlot.Router {
        let router = Backlot.Router()
        router.get("/mounted/text") { _ in
            Backlot.Response(headers: [.contentType: "text/plain; charset=utf-8"], body: .bytes(Self.text))
        }
        router.applin("/mounted/", sessions: MemorySessionStore()) { app in
            app.page("/new_account") { _ in
                navPage("New Account") {
                    scroll {
                        form {
                            textfield("Username", varName: "username")
                            checkbox("I agree", varName: "agree")
                            formButton("Create Account") {
                                rpc("/create_account")
                                replaceAll("/")
                            }
                        }
                    }
                }
            }
        }
        return router
    }
}
