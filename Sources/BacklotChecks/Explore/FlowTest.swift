internal import Backlot
internal import BacklotClients
internal import BacklotHTTP

/// Writes the way to a finding as a Swift test, which fails until the finding is mended.
struct FlowTest {
    private let discovery: Discovery
    private let flow: [ExploreStep]
    private let wire: CrawlWire
    private let url: HTTPURL

    init(_ discovery: Discovery, _ flow: [ExploreStep], _ stage: ExploreStage) {
        self.discovery = discovery
        self.flow = flow
        wire = stage.wire
        url = stage.url
    }

    /// The test function, for a target with the products BacklotTesting and, for what goes wrong on the network, BacklotChecks.
    var source: String {
        let name = "\(discovery.finding.rule) at \(discovery.finding.path.page)"
            .filter { !$0.isNewline && !"`\\".contains($0) }.cut(to: 120)
        var lines = ["@Test func `\(name)`() async throws {"]
        lines += makeClients.map { "    \($0)" }
        for (index, step) in flow.enumerated() {
            if let fault = step.fault { lines.append("    \(network(step.device)).failNext(.\(fault.rawValue))") }
            let isLast = index == flow.count - 1
            lines.append("    \(call(step))\(isLast ? remark : "")")
        }
        if let expectation { lines.append("    #expect(\(expectation))") }
        return (lines + ["}"]).joined(separator: "\n")
    }

    /// The steps for people, one for each line of the test.
    var steps: [String] {
        flow.map { step in
            let fault = step.fault.map { " (the network: \($0.rawValue))" } ?? ""
            return "\(deviceCount > 1 ? "\(name(step.device)): " : "")\(words(step))\(fault)"
        }
    }

    private var deviceCount: Int { Set(flow.map(\.device)).count }

    private func name(_ device: Int) -> String {
        let devices = Set(flow.map(\.device)).sorted()
        return devices.count > 1 ? "app\((devices.firstIndex(of: device) ?? 0) + 1)" : "app"
    }

    private func network(_ device: Int) -> String { "network\(name(device).dropFirst(3))" }

    private func words(_ step: ExploreStep) -> String {
        switch step.deed {
        case .client(let step): ExploredWords.call(step, wire)
        case .forgetCookies: "forgetCookies()"
        }
    }

    private func call(_ step: ExploreStep) -> String {
        guard let deed = step.clientStep else { return "\(name(step.device)).forgetCookies()" }
        return "\(ExploredWords.isSynchronous(deed, wire) ? "try" : "try await") \(name(step.device)).\(words(step))"
    }

    private var makeClients: [String] {
        let devices = Set(flow.map(\.device)).sorted()
        return devices.flatMap { device -> [String] in
            let hasFault = flow.contains { $0.device == device && $0.fault != nil }
            let type = ExploredWords.clientType(wire)
            guard hasFault else { return ["let \(name(device)) = try \(type)(url: \("\(url)".swiftLiteral))"] }
            return [
                "let \(network(device)) = FaultyTransport(SocketTransport())",
                "let \(name(device)) = try \(type)(url: \("\(url)".swiftLiteral), transport: \(network(device)))",
            ]
        }
    }

    /// The last step throws by itself where the backend's answer is at fault.
    private var remark: String {
        guard case .failure = discovery.evidence else { return "" }
        return discovery.finding.severity == .error ? "  // throws a BackendFailure: \(discovery.finding.rule)" : ""
    }

    private var expectation: String? {
        let app = name(flow.last?.device ?? 0)
        switch discovery.evidence {
        case .failure where discovery.finding.severity == .error: return nil
        case .failure: return "\(app).findings.isEmpty"
        case .brokenAction: return "\(app).errorKind != .app"
        case .text(let excerpt): return "!\(app).\(ExploredWords.screen(wire)).contains(\(excerpt.swiftLiteral))"
        case .deadEnd: return "!\(app).buttons.isEmpty"
        case .lost(let field, let text):
            let literal = text.shortLiteral
            let value = literal == text.swiftLiteral ? literal : ".string(\(literal))"
            return "\(app).sentValue(of: \(field.swiftLiteral)) == \(value)"
        case .growth:
            return "\(app).lastRequest?.response?.body.count == \(app).requests.dropLast().last?.response?.body.count"
        case .cookies(let count): return "\(app).cookies.count < \(count)"
        case .stack(let count): return "\(app).stack.count < \(count)"
        case .slow(let bound):
            return "\(app).requests.allSatisfy { $0.response?.total ?? .zero < .milliseconds(\(bound.milliseconds)) }"
        case .foreign(let marker):
            return "!\(app).\(ExploredWords.screen(wire)).lowercased().contains(\(marker.swiftLiteral))"
        }
    }
}

/// What the clients of the protocols call their steps.
enum ExploredWords {
    static func clientType(_ wire: CrawlWire) -> String {
        switch wire {
        case .applin: "ApplinClient"
        case .xpedite: "XpediteClient"
        case .floki: "FlokiClient"
        case .views: "DynamicViewsClient"
        }
    }

    static func screen(_ wire: CrawlWire) -> String { wire == .floki ? "drawing" : "screen" }

    /// The call that does a step.
    static func call(_ step: ClientStep, _ wire: CrawlWire) -> String {
        switch (wire, step) {
        case (.applin, _), (.floki, .launch(nil)): step.call
        case (.xpedite, .launch(nil)): "connect()"
        case (.xpedite, .tap("row", let number?)): "tapRow(\(number - 1))"
        case (.xpedite, .tap("more", _?)): "loadMore()"
        case (.xpedite, .pullToRefresh), (.floki, .pullToRefresh): "refresh()"
        case (.xpedite, .uncheck(let field)): "check(\(field.swiftLiteral), false)"
        case (.xpedite, .choose(let option, let field)), (.views, .choose(let option, let field)):
            "choose(\(option.swiftLiteral), in: \(field.swiftLiteral))"
        case (.views, .open(let view)): "load(\(view.swiftLiteral))"
        case (.views, .check(let widget)): "toggle(\(widget.swiftLiteral), true)"
        case (.views, .uncheck(let widget)): "toggle(\(widget.swiftLiteral), false)"
        case (.views, .pullToRefresh): "reload()"
        case (.floki, .tap(let tab, nil)): "show(\(tab.swiftLiteral))"
        case (.floki, .open(let id)): "open(\(id))"
        case (.floki, .tap("older", _?)): "loadOlder()"
        case (.floki, .enter(let words, _, _)): "search(\(words.shortLiteral))"
        default: step.call
        }
    }

    static func isSynchronous(_ step: ClientStep, _ wire: CrawlWire) -> Bool {
        switch (wire, step) {
        case (.xpedite, .enter), (.xpedite, .check), (.xpedite, .uncheck), (.xpedite, .choose), (.floki, .back),
            (.views, .back):
            true
        default: false
        }
    }
}
