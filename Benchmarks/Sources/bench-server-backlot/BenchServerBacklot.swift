import Applin
import Backlot
import BacklotPreview
import Glibc
import ServerAnnouncement

/// The sign-up page on Backlot, two tables at `/xpedite`, a million small writes at `/stream`, a WebSocket and
/// events below `/live/`, a gigabyte at `/gigabyte`, what
/// is posted to `/echo`, and how many bytes are posted to `/sink`, on a port of 127.0.0.1 that it prints.
///
///     bench-server-backlot [--port PORT] [--files FOLDER] [--telemetry FILE] [--shipped FILE] [--preview]
///         [--tls-cert FILE --tls-key FILE] [--loops LOOPS] [--routes ROUTES] [--connections CONNECTIONS]
///
/// Without a port it takes a free one. With a folder it serves the files in it as well, and compresses answers. With a file it
/// logs each request there, and counts it; `--shipped` puts all around the page that demo-server has. With a certificate and its key it speaks https. With a number of routes it has so many
/// pairs of sign-up pages more, one with a parameter in its path and one without. `/loop` says which event loop has the connection.
@main
struct BenchServerBacklot {
    static func main() {
        let router = Router()
        let shipped = option("--shipped")
        if let file = option("--telemetry") ?? shipped {
            let descriptor = unsafe open(file, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0o600)
            let logger = LogOutput(descriptor: descriptor).logger(label: "bench", format: .json)
            router.use(Telemetry(logger: logger, metrics: PrometheusMetrics()))
        }
        if shipped != nil {
            router.use(Compression())
            router.use(Decompression())
        }
        router.applin("/", sessions: shipped.map { _ in MemorySessionStore() }) { app in
            app.page("/new_account") { _ in signUpPage() }
            addRoutes(number("--routes") ?? 0, to: app)
        }
        Customers.register(on: router)
        router.get("/loop") { _ in .text("\(pthread_self())") }
        router.post("/echo") { Response(body: .bytes(try await $0.body.collect())) }
        router.post("/sink") { request in
            var count = 0
            for try await piece in request.body.limited(to: .max) { count += piece.count }
            return Response.text("\(count)\n")
        }
        router.get("/gigabyte") { _ in
            Response(
                body: .stream(length: 1 << 30) { writer in
                    let piece = [UInt8](repeating: 120, count: 1 << 16)
                    for _ in 0..<(1 << 14) { try await writer.write(piece) }
                }
            )
        }
        router.webSocket("/live/echo") { _, socket in
            for try await message in socket.messages { try await socket.send(message) }
        }
        router.get("/live/events") { _ in
            .events { events in
                while true {
                    try await events.send("a headline of forty letters, or some more")
                    try await Task.sleep(for: .milliseconds(10))
                }
            }
        }
        router.get("/stream") { _ in
            Response(
                headers: [.contentType: "text/plain; charset=utf-8"],
                body: .stream { writer in
                    for index in 0..<1_000_000 { try await writer.write("line \(index)\n") }
                }
            )
        }
        if let folder = option("--files") {
            router.use(Compression())
            router.files(folder)
        }
        if shipped != nil || CommandLine.arguments.contains("--preview") {
            router.preview(LocalAccess(host: "127.0.0.1"))
        }
        var configuration = ServerConfiguration()
        configuration.eventLoops = number("--loops")
        if let connections = number("--connections") { configuration.limits.connections = connections }
        if let certificate = option("--tls-cert"), let key = option("--tls-key") {
            do {
                configuration.tls = TLSConfiguration(
                    certificates: try TLSCertificates(certificateFile: certificate, keyFile: key)
                )
            } catch {
                print("\(error)")
                exit(1)
            }
        }
        let server = Server(
            router,
            host: "127.0.0.1",
            port: number("--port") ?? 0,
            configuration: configuration,
            onListening: { ListeningLine.announce(port: Int($0.port)) }
        )
        Task.detached {
            do {
                try await server.run()
                exit(0)
            } catch {
                print("\(error)")
                exit(1)
            }
        }
        // An asynchronous `main` ends its thread, which valgrind 3.19 doesn't survive.
        while true { pause() }
    }

    private static func signUpPage() -> NavPage {
        navPage("New Account") {
            scroll {
                form {
                    textfield("Username", varName: "username")
                    navButton("Terms") { push("/terms") }
                    navButton("Privacy") { push("/privacy") }
                    checkbox("I agree", varName: "agree")
                    formButton("Create Account") {
                        rpc("/create_account")
                        replaceAll("/")
                    }
                }
            }
        }
    }

    /// Adds pairs of pages, `/s00000/new_account` and `/s00000/{id}/new_account`, whose paths are equally long however many there are.
    private static func addRoutes(_ count: Int, to app: ApplinApp) {
        for index in 0..<count {
            let digits = String(100_000 + index).dropFirst()
            app.page("/s\(digits)/new_account") { _ in signUpPage() }
            app.page("/s\(digits)/{id}/new_account") { request in
                guard request.parameters["id"] == "17" else { throw StatusError(.notFound, "no such page") }
                return signUpPage()
            }
        }
    }

    private static func number(_ name: String) -> Int? { option(name).flatMap(Int.init) }

    private static func option(_ name: String) -> String? {
        let arguments = CommandLine.arguments
        guard let index = arguments.firstIndex(of: name), index + 1 < arguments.count else { return nil }
        return arguments[index + 1]
    }
}
