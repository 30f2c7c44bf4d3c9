import ArgumentParser
import Backlot
import BacklotChecks
import BacklotClients

/// The options of each tool that judges a running server.
struct ToolOptions: ParsableArguments {
    @Option(help: "How the report is written: text, json for programs, junit for CI, or sarif for code scanning.")
    var format = ReportFormat.text

    @Option(help: "How long one request takes at most, in seconds.")
    var timeout = 10.0

    @OptionGroup var trust: TrustOptions

    func validate() throws {
        guard (0.1...600).contains(timeout) else {
            throw ValidationError("--timeout is \(timeout): write a number of seconds from 0.1 to 600.")
        }
    }

    /// The limits of one request.
    var limits: ClientLimits {
        var limits = ClientLimits()
        limits.total = .milliseconds(Int(timeout * 1000))
        limits.idle = limits.total
        return limits
    }

    /// Reads the server's URL.
    ///
    /// - Throws: `ValidationError` for what is no URL, and where certificates are named for a server that has none.
    @discardableResult
    func server(_ url: String) throws -> HTTPURL {
        let server: HTTPURL
        do throws(ClientFailure) {
            server = try HTTPURL(url)
        } catch {
            throw ValidationError("\(error).")
        }
        guard server.scheme == .https || !trust.isGiven else {
            throw ValidationError("--certificates and --trust-anyone are for https: \(url) has no certificate.")
        }
        return server
    }
}

/// The promise that tools ask for which send what a server may not survive.
struct OwnershipOption: ParsableArguments {
    @Flag(name: .customLong("i-own-this"), help: "Allow a server that isn't on this machine. Only do this to your own.")
    var isOwner = false

    /// Refuses a server elsewhere whose owner the user hasn't said to be.
    func permit(_ server: HTTPURL) throws {
        guard !isOwner, server.host != "localhost", !LocalAccess.isLoopback(server.host) else { return }
        throw ValidationError(
            "\(server.host) isn't this machine: if the server is yours and may be harmed, write --i-own-this."
        )
    }
}
