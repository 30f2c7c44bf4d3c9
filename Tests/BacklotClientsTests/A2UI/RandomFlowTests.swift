import A2UI
import Backlot
import Testing

@testable import BacklotClients

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Random surfaces, and random use of them.
@Suite(.timeLimit(.minutes(5))) struct RandomFlowTests {
    static let versions = [ProtocolVersion.v0_9, .v1_0October, .v1_0]

    @Test(arguments: versions) func `Random surfaces from the tables have no faults`(version: ProtocolVersion) throws {
        for seed in 0..<150 {
            var surface = RandomSurface(version, seed: UInt64(seed))
            let messages = surface.opening("s")
            let errors = A2UIInspector().findings(in: .array(messages), path: "/", app: nil)
                .filter { $0.severity == .error }
            #expect(errors.isEmpty, "seed \(seed): \(errors.map(\.details))")
            let tree = A2UIVocabulary.tree(of: .array(messages))
            #expect(tree.nodes.allSatisfy { $0.kind != nil }, "seed \(seed)")
        }
    }

    /// A user does anything that the screen offers, while the server sends updates. Written values arrive in the model, nothing else
    /// changes it, and no step is refused.
    @Test(arguments: versions) func `Random use keeps the client's state right`(version: ProtocolVersion) throws {
        for seed in 0..<150 {
            let flow = try RandomFlow(version, seed: UInt64(seed))
            #expect(flow.errors.isEmpty, "seed \(seed): \(flow.errors)")
        }
    }

    /// For Tests/A2UICore/run: the flows that another implementation repeats.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["BACKLOT_A2UI_FLOWS"] != nil))
    func `Flows for another implementation are written`() throws {
        let path = try #require(ProcessInfo.processInfo.environment["BACKLOT_A2UI_FLOWS"])
        var lines = ""
        for seed in 0..<500 {
            for version in [ProtocolVersion.v0_9, .v1_0October] {
                lines += "\(try RandomFlow(version, seed: UInt64(seed)).json)\n"
            }
        }
        try Data(lines.utf8).write(to: URL(filePath: path))
    }
}

/// A random flow with what our client makes of it.
private struct RandomFlow {
    private(set) var operations: [JSONValue] = []
    private(set) var errors: [String] = []
    private var state = A2UIClientState()
    private let version: ProtocolVersion

    var json: JSONValue { ["version": .string(version.rawValue), "operations": .array(operations)] }

    init(_ version: ProtocolVersion, seed: UInt64) throws {
        self.version = version
        var surface = RandomSurface(version, seed: seed)
        receive(surface.opening("s"))
        for _ in 0..<12 {
            if surface.chance(0.3) {
                receive(surface.update("s"))
            } else if surface.chance(0.1) {
                receive([["version": .string(version.rawValue), "deleteSurface": ["surfaceId": "s"]]])
                receive(surface.opening("s"))
            } else {
                try step(&surface)
            }
            expectState()
        }
    }

    private mutating func receive(_ messages: [JSONValue]) {
        errors += state.receive(.array(messages)).map { "\($0)" }
        operations.append(["messages": .array(messages)])
    }

    private mutating func step(_ surface: inout RandomSurface) throws {
        if state.hasModal, surface.chance(0.3) { return try state.closeModal() }
        let buttons = state.tappables.filter { part in
            !state.failures(of: part.component).contains { $0.severity == "error" }
        }
        if surface.chance(0.5), !buttons.isEmpty {
            let chosen = surface.number(0...(buttons.count - 1))
            let part = buttons[chosen].component
            let before = state.processor.surfaces["s"]?.model
            let same = state.tappables.filter { $0.text == buttons[chosen].text }
            let number = same.firstIndex { $0.component.node.path == part.node.path && $0.tab == buttons[chosen].tab }
            let name = buttons[chosen].text
            let message = try state.tap(name, number: (number ?? 0) + 1, at: "now")
            if state.processor.surfaces["s"]?.model != before { errors.append("a tap changed the model") }
            guard buttons[chosen].tab == nil, let property = part.actionProperty else { return }
            var tap: JSONObject = [
                "component": .string(part.node.componentID), "property": .string(property),
                "scope": .string(part.node.scope.path.description),
            ]
            tap["message"] = message?.json["action"]
            operations.append(["tap": .object(tap)])
        } else if let input = state.inputs.randomElement(using: &surface.generator) {
            let id = input.node.componentID
            // The same component may stand in several rows; the first one on the screen is meant.
            guard let first = state.inputs.first(where: { $0.label == input.label }), first.label != "" else { return }
            let name = first.label
            let value: JSONValue
            switch first.input {
            case .box?:
                value = .bool(surface.chance(0.5))
                try state.set(value == true, name)
            case .text?:
                value = .string("typed \(surface.number(0...9))")
                try state.enter(value.string ?? "", into: name)
            default:
                guard let sample = first.samples.randomElement(using: &surface.generator) else { return }
                try state.choose(sample, from: name)
                value = .null
            }
            guard let path = first.target("value") else { return errors.append("\(id) isn't bound") }
            let written = state.processor.surfaces["s"]?.model[path] ?? .null
            if value != .null, written != value { errors.append("\(path) is \(written), not \(value)") }
            operations.append(["write": ["path": .string(path.description), "value": written]])
        }
    }

    private mutating func expectState() {
        guard let surface = state.processor.surfaces["s"] else { return errors.append("the surface is gone") }
        var components = JSONObject()
        for (id, component) in surface.components.sorted(by: { $0.key < $1.key }) {
            components[id] = .object(component.properties)
        }
        operations.append(["expect": ["model": surface.model.value, "components": .object(components)]])
    }
}
