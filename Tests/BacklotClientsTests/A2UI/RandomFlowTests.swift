import Backlot
import Testing

@testable import A2UI
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
            let errors = Self.errors(in: messages)
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

    /// One mistake at a time, in each version that has a place for it.
    @Test(arguments: RandomMistake.all) func `A mistake in a random surface is found`(mistake: RandomMistake) {
        var count = 0
        for seed in 0..<UInt64(80) where count < 12 {
            let version = ProtocolVersion.allCases[Int(seed % 4)]
            var surface = RandomSurface(version, seed: seed)
            guard let messages = mistake.messages(surface.opening("s"), version, seed: seed) else { continue }
            count += 1
            let rules = Self.errors(in: messages).map(\.rule)
            let isFound = mistake.rules.isEmpty ? rules.isEmpty : !mistake.rules.isDisjoint(with: rules)
            #expect(isFound, "seed \(seed) in \(version): \(rules)")
        }
        #expect(count > 0)
    }

    /// Otherwise random surfaces would prove less than they say.
    @Test(arguments: versions) func `Random surfaces have all components and functions`(version: ProtocolVersion) {
        var found: Set<String> = []
        func visit(_ value: JSONValue) {
            for element in value.array ?? [] { visit(element) }
            guard let object = value.object else { return }
            if let name = object["component"]?.string { found.formUnion(object.keys.map { "\(name).\($0)" }) }
            if let name = object[version.callKey]?.string, let arguments = object["args"]?.object {
                found.formUnion(arguments.keys.map { "\(name).\($0)" })
            }
            for member in object.members { visit(member.value) }
        }
        for seed in 0..<150 {
            var surface = RandomSurface(version, seed: UInt64(seed))
            visit(.array(surface.opening("s")))
        }
        var expected: Set<String> = []
        for component in Catalog.basicComponents(version) {
            expected.formUnion(component.properties.map { "\(component.name).\($0.name)" })
        }
        let catalog = version.isOne ? Catalog.basic1_0 : .basic0_9
        for function in catalog.functions.values {
            expected.formUnion(function.parameters.map { "\(function.name).\($0.name)" })
        }
        #expect(expected.subtracting(found).sorted() == [])
    }

    private static func errors(in messages: [JSONValue]) -> [Finding] {
        A2UIInspector().findings(in: .array(messages), path: "/", app: nil).filter { $0.severity == .error }
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

    /// For Tests/A2UICore/run: surfaces, each without and with one mistake, with our verdicts.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["BACKLOT_A2UI_SURFACES"] != nil))
    func `Surfaces for another implementation are written`() throws {
        let path = try #require(ProcessInfo.processInfo.environment["BACKLOT_A2UI_SURFACES"])
        var lines = ""
        for seed in 0..<1000 {
            let version = ProtocolVersion.allCases[seed % 4]
            var surface = RandomSurface(version, seed: UInt64(seed))
            let messages = surface.opening("s")
            func add(_ messages: [JSONValue], mistake: String?) {
                var line: JSONObject = ["seed": .number(JSONNumber(Int64(seed))), "version": .string(version.rawValue)]
                line["mistake"] = mistake.map(JSONValue.string)
                line["errors"] = .array(Self.errors(in: messages).map { .string("\($0.rule): \($0.message)") })
                line["messages"] = .array(messages)
                lines += "\(JSONValue.object(line))\n"
            }
            add(messages, mistake: nil)
            // The mistakes take turns; the next one is taken where a surface has no place for one.
            let kinds = RandomMistake.all
            for step in 0..<kinds.count {
                let mistake = kinds[(seed / 4 + step) % kinds.count]
                guard let wrong = mistake.messages(messages, version, seed: UInt64(seed)) else { continue }
                add(wrong, mistake: mistake.name)
                break
            }
        }
        try Data(lines.utf8).write(to: URL(filePath: path))
    }
}

extension RandomMistake: CustomTestStringConvertible {
    var testDescription: String { name }
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
