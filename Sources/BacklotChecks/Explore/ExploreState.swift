internal import Backlot
internal import BacklotClients

/// The settings that stay the same during an exploration.
struct ExploreSettings: Sendable {
    let target: AppTarget
    let clientType: any HeadlessClient.Type
    let options: ExploreOptions
    let clock: ExploreClock
    let forbidden: ForbiddenPaths
    let expected: ExpectedFindings

    init(_ explore: Explore, _ clock: ExploreClock) {
        target = explore.target
        clientType = target.appProtocol.client
        options = explore.options
        forbidden = explore.forbidden
        expected = explore.expected
        self.clock = clock
    }

    /// Makes a new device.
    ///
    /// - Parameter id: an id that differs from device to device, and is the same in the next run.
    func device(_ id: String) throws -> ExploreDevice {
        let carrier = RecordingTransport(target, clock, forbidden)
        let network = FaultyTransport(carrier)
        let behaviour = HeadlessOptions(
            limits: options.limits,
            dialect: options.dialect,
            now: options.now,
            device: "explorer \(options.seed).\(id)"
        )
        let client = try clientType.init(target.url, over: network, behaviour)
        return ExploreDevice(client: client, carrier: carrier, network: network)
    }
}

/// A device with the parts that record and disturb its requests.
struct ExploreDevice {
    let client: any HeadlessClient
    let carrier: RecordingTransport
    let network: FaultyTransport
    var inputs = InputWatch()
    var growth = GrowthWatch()
    var texts = TextWatch()
}

/// The devices of a session, and the discoveries of their steps.
final class ExploreState {
    let stage: ExploreSettings
    /// The session's part of the ids of its devices.
    private let id: String
    private(set) var devices: [ExploreDevice?] = []
    /// The finished steps.
    private(set) var flow: [ExploreStep] = []
    /// The typed markers in lower case, with their accounts.
    private(set) var markers: [String: Int] = [:]
    /// Other typed texts by account: sessions that type the same may be the same person.
    private(set) var identities: [Int: Set<String>] = [:]
    /// The typed texts, to distinguish an echo from the backend's own text.
    private(set) var typed: [String] = []
    /// Returns the identifying texts of the earlier session that typed a marker; nil if no earlier session did.
    private let strangers: (String) -> Set<String>?

    init(_ stage: ExploreSettings, id: String, strangers: @escaping (String) -> Set<String>? = { _ in nil }) {
        (self.stage, self.id) = (stage, id)
        self.strangers = strangers
    }

    func client(_ device: Int) -> (any HeadlessClient)? {
        devices.indices.contains(device) ? devices[device]?.client : nil
    }

    /// Does a step.
    ///
    /// - Returns: the discoveries; nil if the step is impossible on the screen, or if the time is over.
    func perform(_ step: ExploreStep) async -> [Discovery]? {
        while devices.count <= step.device { devices.append(nil) }
        if devices[step.device] == nil {
            guard step.isLaunch, let device = try? stage.device("\(id).\(step.device)") else { return nil }
            devices[step.device] = device
        } else if step.isLaunch {
            return nil
        }
        guard var device = devices[step.device] else { return nil }
        let client = device.client
        let before = (place: client.place, takesInput: client.takesInput(step.step))
        let known = client.path(of: step.step)
        guard !known.contains(where: { stage.forbidden.cover($0) }) else { return nil }
        if let fault = step.fault { device.network.failNext(fault) }
        remember(step)
        let result = await client.findings(of: step.step)
        device.network.failNext(nil)
        guard let findings = result else {
            _ = device.carrier.take()
            if step.isLaunch { devices[step.device] = nil }
            return nil
        }
        let (seen, isBlocked) = device.carrier.take()
        // A step that ends after the time limit can only prove that the backend has gone.
        guard !stage.clock.isOver || stage.clock.bound == .backend else { return nil }
        flow.append(step)
        var found: [Discovery] = []
        found += failures(findings, step, isBlocked)
        found += brokenActions(client, findings, step, isBlocked, from: before.place)
        found += device.texts.take(client, seen, typed, oddTexts: stage.clock.oddTexts)
        found += foreignData(seen, step)
        if let discovery = device.inputs.take(step, client, seen, from: before.place, takesInput: before.takesInput) {
            found.append(discovery)
        }
        if seen.contains(where: { $0.request.method != .get && $0.response?.status.kind == .successful }) {
            // A change saved on one device may affect the screens and inputs of others.
            for index in devices.indices where index != step.device { devices[index]?.growth.restart() }
        }
        found += device.growth.take(step, client, seen)
        if client.isDeadEnd, !isBlocked { found.append(.deadEnd(client.place, step.device)) }
        found += slowSteps(seen, step)
        devices[step.device] = device
        return found.filter { !stage.expected.contain($0.finding) }
    }

    private func remember(_ step: ExploreStep) {
        guard case .enter(let text, let field, let variable) = step.step else { return }
        stage.clock.noteTyped(text)
        let found = Marker.found(in: Array(text.utf8))
        for marker in found where markers[marker] == nil { markers[marker] = step.account }
        if found.isEmpty, !text.isEmpty {
            identities[step.account, default: []].insert("\(variable)=\(text)")
            // The app may create an account on one page and use it on another.
            let words = "\(variable) \(field)".lowercased()
            if Self.whoWords.contains(where: { words.contains($0) }) {
                identities[step.account, default: []].insert(text)
            }
        }
        if text.count > 2 { typed.append(text) }
    }

    private static let whoWords = ["name", "user", "mail", "login", "log_in", "account", "phone", "member", "customer"]

    // MARK: Finding

    private static let causedByFaults: Set<String> = ["no-answer", "answer-cut-short", "answer-too-late"]

    /// Discoveries in the responses.
    private func failures(_ findings: [Finding], _ step: ExploreStep, _ isBlocked: Bool) -> [Discovery] {
        findings.compactMap { finding in
            if isBlocked || step.fault != nil, Self.causedByFaults.contains(finding.rule) { return nil }
            guard finding.severity == .error || finding.rule == "html-error" else { return nil }
            return .failure(finding)
        }
    }

    /// Discoveries about impossible actions of the app, which no response reports.
    private func brokenActions(
        _ client: any HeadlessClient,
        _ findings: [Finding],
        _ step: ExploreStep,
        _ isBlocked: Bool,
        from place: String
    ) -> [Discovery] {
        guard let error = client.shownError, error.isOfApp, !isBlocked, step.step != .forgetCookies,
            !findings.contains(where: { $0.severity == .error })
        else { return [] }
        guard error.text.hasPrefix("The app ") || error.text.hasPrefix("The page ") else { return [] }
        return [.brokenAction(error.text, place)]
    }

    /// Discoveries about text that one session typed and another sees.
    private func foreignData(_ seen: [RecordingTransport.Seen], _ step: ExploreStep) -> [Discovery] {
        var found: [Discovery] = []
        for exchange in seen {
            guard let response = exchange.response else { continue }
            for marker in Marker.found(in: response.body) {
                let mine = identities[step.account] ?? []
                if let owner = markers[marker] {
                    guard owner != step.account, mine.isDisjoint(with: identities[owner] ?? []) else { continue }
                } else {
                    guard let theirs = strangers(marker), mine.isDisjoint(with: theirs) else { continue }
                }
                found.append(.foreignData(marker, exchange.path, step.device))
            }
        }
        return found
    }

    private func slowSteps(_ seen: [RecordingTransport.Seen], _ step: ExploreStep) -> [Discovery] {
        seen.compactMap { exchange in
            guard let response = exchange.response, response.total > stage.options.slow else { return nil }
            return .slow(response.total, bound: stage.options.slow, exchange.path)
        }
    }
}

extension HeadlessClient {
    /// The paths that a step requests, as far as the page names them.
    func path(of step: ClientStep) -> [String] {
        switch step {
        case .tap, .check, .uncheck, .back: steps().first { $0.step == step }?.paths ?? []
        case .launch(let path?), .open(let path): [path]
        default: []
        }
    }
}
