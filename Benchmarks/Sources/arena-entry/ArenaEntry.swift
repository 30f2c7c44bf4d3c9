import Backlot
import Glibc
import ServerAnnouncement

/// Backlot in the form in which HttpArena and TechEmpower's Framework Benchmarks measure frameworks.
///
///     arena-entry [--host HOST] [--port PORT] [--data FOLDER] [--certificates FOLDER]
///
/// It answers on every address and on port 8080, unless told otherwise; 0 takes a free port. The folder of data, `/data`, has
/// `dataset.json` and the files of `static`. With a folder of certificates, `server.crt` and `server.key`, it answers over TLS as well:
/// on port 8081 with HTTP/1.1, and on port 8443 with HTTP/2 too.
@main
struct ArenaEntry {
    static func main() async {
        do {
            let data = option("--data") ?? "/data"
            let routes = ArenaRoutes(dataset: try Dataset(file: "\(data)/dataset.json"), files: "\(data)/static")
            let handler = routes.router().handler()
            let host = option("--host") ?? "0.0.0.0"
            let port = option("--port").flatMap(Int.init) ?? 8080
            var configuration = ServerConfiguration()
            // The profiles open up to 16,384 at a time, and idle ones must not have to go.
            configuration.limits.connections = 32_768
            let server = Server(
                handler,
                host: host,
                port: port,
                configuration: configuration,
                onListening: { ListeningLine.announce(port: Int($0.port)) }
            )
            try await server.run(inside: try overTLS(handler, host: host, configuration))
        } catch {
            print("\(error)")
            exit(1)
        }
    }

    /// The servers that speak TLS.
    private static func overTLS(
        _ handler: any Handler,
        host: String,
        _ configuration: ServerConfiguration
    ) throws -> [Server] {
        guard let folder = option("--certificates") else { return [] }
        let certificates = try TLSCertificates(
            certificateFile: "\(folder)/server.crt",
            keyFile: "\(folder)/server.key"
        )
        return [(8081, HTTP2Support.off), (8443, .priorKnowledge)].map { port, http2 in
            var configuration = configuration
            configuration.tls = TLSConfiguration(certificates: certificates)
            configuration.http2 = http2
            return Server(handler, host: host, port: port, configuration: configuration)
        }
    }

    private static func option(_ name: String) -> String? {
        let arguments = CommandLine.arguments
        guard let index = arguments.firstIndex(of: name), index + 1 < arguments.count else { return nil }
        return arguments[index + 1]
    }
}
