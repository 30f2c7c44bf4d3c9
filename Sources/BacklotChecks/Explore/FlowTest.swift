internal import Backlot
internal import BacklotClients
internal import BacklotHTTP

/// Writes the way to a finding as a Swift test, which fails until the finding is mended.
struct FlowTest {
    private let discovery: Discovery
    private let flow: [ExploreStep]
    private let client: any HeadlessClient.Type
    private let url: HTTPURL

    init(_ discovery: Discovery, _ flow: [ExploreStep], _ stage: ExploreStage) {
        self.discovery = discovery
        self.flow = flow
        client = stage.clientType
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
        case .client(let step): client.call(step).text
        case .forgetCookies: "forgetCookies()"
        }
    }

    private func call(_ step: ExploreStep) -> String {
        guard let deed = step.clientStep else { return "\(name(step.device)).forgetCookies()" }
        return "\(client.call(deed).isAsync ? "try await" : "try") \(name(step.device)).\(words(step))"
    }

    private var makeClients: [String] {
        let devices = Set(flow.map(\.device)).sorted()
        return devices.flatMap { device -> [String] in
            let hasFault = flow.contains { $0.device == device && $0.fault != nil }
            let type = "\(client)"
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
        case .text(let excerpt): return "!\(app).\(client.drawing).contains(\(excerpt.swiftLiteral))"
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
            return "!\(app).\(client.drawing).lowercased().contains(\(marker.swiftLiteral))"
        }
    }
}
