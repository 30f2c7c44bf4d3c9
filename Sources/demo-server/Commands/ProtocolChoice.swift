import Applin
import ArgumentParser
import Backlot
import BacklotClients
import DynamicViews
import Floki
import Xpedite

extension AppProtocol {
    /// Every protocol of this program.
    static let all: [AppProtocol] = [.applin, .xpedite, .floki, .dynamicViews]
}

/// The protocol of a backend, as options name it.
enum ProtocolChoice: ExpressibleByArgument {
    /// The one that the backend is found to speak.
    case auto
    case known(AppProtocol)

    init?(argument: String) {
        guard argument != "auto" else {
            self = .auto
            return
        }
        guard let known = AppProtocol.all.named(argument) else { return nil }
        self = .known(known)
    }

    static var allValueStrings: [String] { ["auto"] + AppProtocol.all.map(\.name) }

    var defaultValueDescription: String { "auto" }

    /// nil for the one that the backend is found to speak.
    var chosen: AppProtocol? { if case .known(let known) = self { known } else { nil } }

    /// The protocol that was chosen, or that the backend is found to speak.
    func spoken(
        at url: String,
        _ transport: any ClientTransport,
        _ limits: ClientLimits
    ) async throws(ClientFailure) -> AppProtocol {
        if let chosen { return chosen }
        return try await AppProtocol.found(at: url, transport: transport, limits: limits, among: AppProtocol.all)
    }
}
