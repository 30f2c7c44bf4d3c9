import ArgumentParser
import Backlot
import BacklotClients
import BacklotService

/// `demo-server health`
struct Health: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Asks the server with the same settings whether it is healthy, so that a container needs no curl.",
        discussion: "Exit status: 0 when it is well, 1 when it isn't or can't be reached within 3 seconds."
    )

    @OptionGroup var listen: ListenOptions
    @OptionGroup var tls: TLSOptions

    @Flag(help: "Ask whether it wants requests, rather than whether it lives.")
    var ready = false

    func run() async throws {
        let settings = try await DemoSettings(listen, tls).service
        guard settings.port > 0 else {
            throw ValidationError("The port of the settings is 0, which takes a free one: write --port and the number.")
        }
        let scheme = settings.isSecure ? "https" : "http"
        let url = "\(scheme)://\(Self.reachable(settings.host)):\(settings.port)\(ready ? "/readyz" : "/healthz")"
        do {
            var limits = ClientLimits()
            limits.total = .seconds(3)
            let request = ClientRequest(.get, try HTTPURL(url))
            // The certificate is for the names that clients use, not for this machine's own.
            let answer = try await SocketTransport(trusting: .anyone).response(to: request, limits: limits)
            print(answer.text)
            if answer.status != .ok { throw ExitCode(1) }
        } catch let failure as ClientFailure {
            StandardError.print("Error: \(url): \(failure)")
            throw ExitCode(1)
        }
    }

    /// How a program of the same machine reaches a server that listens on `host`.
    static func reachable(_ host: String) -> String {
        guard let address = SocketAddress(host: host, port: 0) else { return host }
        if address.isUnspecified { return address.host.contains(":") ? "[::1]" : "127.0.0.1" }
        return address.host.contains(":") ? "[\(address.host)]" : address.host
    }
}
