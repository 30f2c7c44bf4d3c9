import A2UI
import Applin
public import ArgumentParser
public import Backlot
import BacklotClients
import DynamicViews
import Floki
import Xpedite

extension AppProtocol {
    /// Every protocol of this program.
    static let all: [AppProtocol] = [.applin, .xpedite, .floki, .dynamicViews, .a2ui]
}

extension AppProtocol: ExpressibleByArgument {
    /// The protocol of a name, also of a former one.
    public init?(argument: String) {
        guard let known = AppProtocol.all.named(argument) else { return nil }
        self = known
    }

    /// The names of all protocols.
    public static var allValueStrings: [String] { all.map(\.name) }
}

/// The protocol of a backend, as options name it.
struct ProtocolChoice: ExpressibleByArgument {
    /// The one that the backend is found to speak.
    static let auto = ProtocolChoice(chosen: nil)
    static let allValueStrings = ["auto"] + AppProtocol.allValueStrings

    /// nil for the one that the backend is found to speak.
    let chosen: AppProtocol?
    var defaultValueDescription: String { "auto" }

    private init(chosen: AppProtocol?) { self.chosen = chosen }

    init?(argument: String) {
        chosen = AppProtocol(argument: argument)
        if chosen == nil, argument != "auto" { return nil }
    }

    /// The protocol that was chosen, or that the backend is found to speak.
    func spoken(
        at url: String,
        _ transport: any ClientTransport,
        _ limits: ClientLimits
    ) async throws(ClientError) -> AppProtocol {
        if let chosen { return chosen }
        return try await AppProtocol.found(at: url, transport: transport, limits: limits, among: AppProtocol.all)
    }
}
