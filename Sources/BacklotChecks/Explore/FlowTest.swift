internal import Backlot
internal import BacklotClients

/// Writes the flow to a finding as a Swift test, which fails until the backend is fixed.
struct FlowTest {
    private let discovery: Discovery
    private let flow: [ExploreStep]
    private let client: any HeadlessClient.Type
    private let url: HTTPURL
    /// The last argument of a client's initializer.
    private let clock: String

    init(_ discovery: Discovery, _ flow: [ExploreStep], _ stage: ExploreSettings) {
        self.discovery = discovery
        self.flow = flow
        client = stage.clientType
        url = stage.target.url
        clock = client.hasClock ? ", now: \(stage.options.now)" : ""
    }

    /// The test function. Its target needs the product BacklotTesting, and for network faults BacklotChecks. Empty if the client
    /// has no functions for a step or for the expectation.
    var source: String {
        guard isPossible else { return "" }
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

    private var isApplin: Bool { client == ApplinClient.self }

    private var isPossible: Bool {
        flow.allSatisfy { client.hasCall(for: $0.step) }
            && (isApplin || discovery.suitsAllClients || discovery.expectation == nil)
    }

    private var deviceCount: Int { Set(flow.map(\.device)).count }

    private func name(_ device: Int) -> String {
        let devices = Set(flow.map(\.device)).sorted()
        return devices.count > 1 ? "app\((devices.firstIndex(of: device) ?? 0) + 1)" : "app"
    }

    private func network(_ device: Int) -> String { "network\(name(device).dropFirst(3))" }

    private func words(_ step: ExploreStep) -> String { client.call(step.step).text }

    private func call(_ step: ExploreStep) -> String {
        let call = "\(name(step.device)).\(words(step))"
        if step.step == .forgetCookies { return call }
        return "\(client.call(step.step).isAsync ? "try await" : "try") \(call)"
    }

    private var makeClients: [String] {
        let devices = Set(flow.map(\.device)).sorted()
        return devices.flatMap { device -> [String] in
            let hasFault = flow.contains { $0.device == device && $0.fault != nil }
            let type = "\(client)"
            guard hasFault else { return ["let \(name(device)) = try \(type)(url: \("\(url)".swiftLiteral)\(clock))"] }
            return [
                "let \(network(device)) = FaultyTransport(SocketTransport())",
                "let \(name(device)) = try \(type)(url: \("\(url)".swiftLiteral), transport: \(network(device))\(clock))",
            ]
        }
    }

    /// A comment on the last step, if it throws because of the backend's response.
    private var remark: String {
        guard discovery.expectation == nil else { return "" }
        return "  // throws \(isApplin ? "a BackendError" : "an error"): \(discovery.finding.rule)"
    }

    private var expectation: String? {
        discovery.expectation.map { $0(name(flow.last?.device ?? 0)) }
    }
}
