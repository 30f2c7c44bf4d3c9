internal import ArgumentParser
internal import Backlot

/// `health`
struct HealthCommand<App: ServerApp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "health",
            abstract:
                "Checks the health of the server with the same settings, so that a container doesn't need curl.",
            discussion:
                "If the main port requires client certificates or the PROXY protocol, the request goes to the --admin-port. Exit status: 0 for a healthy server, 1 for another one, or without a response within 3 seconds."
        )
    }

    @OptionGroup var listen: ListenOptions
    @OptionGroup var tls: TLSOptions
    @OptionGroup var control: ControlOptions
    @OptionGroup var limits: LimitOptions

    @Flag(help: "Check whether it is ready for requests, rather than whether it is alive.")
    var ready = false

    func run() async throws {
        let sources = try App.settings(given: [listen, tls, control, limits])
        let settings = try ServiceSettings(name: App.programName, stores: App.sessionStores, sources)
        let (address, isSecure) = try settings.healthAddress
        let target = ready ? "/readyz" : "/healthz"
        let authority = address.authority(address.ownHost)
        let request = OutgoingRequest(method: .get, target: target, authority: authority)
        let response: IncomingResponse
        do throws(ClientConnectionError) {
            response = try await ClientLoop.exchange(
                request,
                host: address.ownHost,
                port: address.port,
                // The certificate is for the names that clients use, not for this machine's names.
                over: isSecure ? .trusting(.anyone) : nil,
                bounds: ClientBounds(head: 65_536, body: 65_536, idle: .seconds(3), total: .seconds(3))
            )
        } catch {
            StandardError.print("Error: \(isSecure ? "https" : "http")://\(authority)\(target): \(error)")
            throw ExitCode.failure
        }
        print(String(decoding: response.body, as: UTF8.self))
        if response.status != .ok { throw ExitCode.failure }
    }
}

extension ServiceSettings {
    /// The address that this machine may ask for the health, and whether it speaks https.
    ///
    /// - Throws: `SettingError` if the settings don't determine it, or if it asks for more than this command can give.
    fileprivate var healthAddress: (SocketAddress, isSecure: Bool) {
        get throws(SettingError) {
            let address = try sources.ownAddress
            let asks: String
            if case .required = clientCertificates {
                asks = "--client-certificates"
            } else if let own = SocketAddress(host: address.ownHost, port: 0),
                limits.proxyProtocolSources.contains(where: { $0.contains(own) })
            {
                asks = "--proxy-protocol"
            } else {
                return (address, isSecure)
            }
            guard let adminPort, adminPort > 0, let own = SocketAddress(host: adminHost, port: UInt16(adminPort)) else {
                throw SettingError(
                    "With \(asks), health can't ask the main port: set an --admin-port, which it asks then."
                )
            }
            return (own, false)
        }
    }
}

extension SettingSources {
    /// The address where the server with these settings listens.
    ///
    /// - Throws: `SettingError` if the settings don't determine it.
    var ownAddress: SocketAddress {
        get throws(SettingError) {
            let (host, port) = (try required(ServiceSetting.host), try required(ServiceSetting.port))
            guard port > 0, let address = SocketAddress(host: host, port: UInt16(port)) else {
                throw SettingError(
                    "The port of the settings is 0, which takes a free one: write --port and the number."
                )
            }
            return address
        }
    }
}
