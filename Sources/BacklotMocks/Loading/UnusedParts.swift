import Backlot

/// Parts that don't fit the other files of a folder: states that a scenario never reaches, and dead links.
struct UnusedParts {
    /// The places in a file where a stub names states.
    struct States: Sendable {
        let scenario: StubScenario
        let required: TextPosition
        let new: TextPosition
    }

    private typealias Mention = (file: String, states: States)

    /// Warnings about states: those that no response sets, and those without a response that look like another state.
    static func states(in files: [String: LoadedFile]) -> [MockFileError] {
        var scenarios: [String: [Mention]] = [:]
        for (file, loaded) in files.sorted(by: { $0.key < $1.key }) {
            for states in loaded.states {
                scenarios[states.scenario.name, default: []].append((file, states))
            }
        }
        return scenarios.sorted { $0.key < $1.key }.flatMap { problems($0.key, $0.value) }
    }

    private static func problems(_ scenario: String, _ mentions: [Mention]) -> [MockFileError] {
        let reached = reached(mentions.map(\.states.scenario))
        let required = Set(mentions.compactMap(\.states.scenario.requiredState))
        var problems: [MockFileError] = []
        for (file, states) in mentions {
            if let state = states.scenario.requiredState, !reached.contains(state) {
                let others = reached.subtracting(required).isEmpty ? reached : reached.subtracting(required)
                let hint = Suggestion.hint(for: state, among: others.sorted())
                let text =
                    "the scenario '\(scenario)' never gets into the state '\(state)', so this response is never sent"
                problems.append(MockFileError(file, states.required, text + hint))
            }
            if let state = states.scenario.newState, !required.contains(state), state != StubScenario.started,
                let near = Suggestion.nearest(to: state, among: required.subtracting(reached).sorted())
            {
                let text =
                    "no response of the scenario '\(scenario)' is for the state '\(state)'; did you mean '\(near)'?"
                problems.append(MockFileError(file, states.new, text))
            }
        }
        return problems
    }

    /// The states that a scenario can reach with its responses.
    private static func reached(_ steps: [StubScenario]) -> Set<String> {
        var reached: Set<String> = [StubScenario.started]
        var count = 0
        while count != reached.count {
            count = reached.count
            for step in steps where step.requiredState.map(reached.contains) ?? true {
                if let new = step.newState { reached.insert(new) }
            }
        }
        return reached
    }
}

extension RouteFiles {
    /// The most files with dead links that are read again, to find the links' places.
    private static let mostDead = 100

    /// The warnings about parts that don't fit the other served files.
    func looseEnds(in files: [String: LoadedFile]) -> [MockFileError] {
        let data = Set(backend.data.names)
        let stubs = files.sorted { $0.key < $1.key }.flatMap { $0.value.stubs + $0.value.parts }
        return stubs.flatMap { $0.unknownData(data) } + UnusedParts.states(in: files) + deadLinks(in: files)
    }

    /// Warnings about links of pages to paths without a route in the folder.
    private func deadLinks(in files: [String: LoadedFile]) -> [MockFileError] {
        let all = backend.lookup
        // The value of a tag isn't known yet.
        let lookup = RouteLookup { $0.contains("{{") ? nil : all.methods(at: $0) }
        let dead = files.filter { $0.value.links.contains { lookup.methods(at: $0)?.isEmpty == true } }.keys.sorted()
        var problems = dead.prefix(Self.mostDead).flatMap { file in
            deadLinks(in: file, lookup)
        }
        if dead.count > Self.mostDead {
            let more = dead.count - Self.mostDead
            let text = "this and later files, \(more) in all, have links that lead nowhere too; `check` names them"
            problems.append(MockFileError(dead[Self.mostDead], text))
        }
        return problems
    }

    /// The dead links of a file's pages.
    private func deadLinks(in file: String, _ lookup: RouteLookup) -> [MockFileError] {
        guard let name = try? RouteFileName(file, besides: backend.configuration.apps.map(\.kind)),
            let bytes = try? folder.read(file)
        else { return [] }
        var reader = RouteFileReader(name, folder: folder, pages: backend.configuration.pages)
        reader.app = lookup
        return reader.problems(bytes)
    }
}
