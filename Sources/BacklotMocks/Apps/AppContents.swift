import Backlot

/// The contents of an app's file: its reactions, such as the responses to actions, and the rest. Tags are filled in for each request.
/// Reactions may depend on scenarios and data, and change both, in the words of route files.
struct AppContents: Sendable {
    static let kind = Kind("state", as: [.reaction], meaning, noun: "a reaction", keys: keys)
    private static let meaning =
        "The scenarios and data of a reaction in a file of A2UI. Its keys stand beside the reaction's own. Its changes precede its response."
    private static let keys =
        [RequestPattern.whenData, DataChange.key] + StubScenario.keys
        + ScenarioMoves.keys.filter { $0.name != "newClient" }

    private struct Reaction: Sendable {
        let entry: StubEntry
        let contents: ValueTemplate
    }

    /// The file's name, for errors.
    private let name: String
    /// The document with samples in place of tags.
    let sample: JSONValue
    private let root: ValueTemplate
    private let reactions: [Reaction]
    /// Whether tags can leave out parts of the document, and repeat them.
    let hasBlocks: Bool

    var hasTags: Bool { root.hasTags || reactions.contains { $0.contents.hasTags } }

    /// Reads a file's document. Its parts with tags and states become stubs of the file, which nothing serves.
    init(
        _ file: LocatedValue,
        _ format: AppFormat,
        _ source: SourceText,
        _ reader: inout MockReader,
        _ loaded: inout LoadedFile
    ) throws(StubError) {
        let key = format.reactions?.key ?? ""
        let list = file[key].flatMap { $0.value.array == nil ? nil : $0 }
        var rest = file.value.object
        if list != nil { rest?[key] = [] }
        let document = rest.map(JSONValue.object) ?? file.value
        root = format.hasTags ? try ValueTemplate(LocatedValue(document)) : ValueTemplate(constant: document)
        hasBlocks = format.hasTags && TemplateBuilder.hasBlocks(file.value)
        name = source.file
        let noJSON = "this isn't JSON once its tags are filled in"
        guard var sample = root.sample else { throw file.problem(noJSON) }
        func stub(_ name: String, _ contents: ValueTemplate, at path: [StubError.Step]) -> Stub {
            let line = source.position(of: path).line
            var stub = Stub(StubID(name: name), at: PathPattern([]), [.post], as: "POST", in: source.file, line: line)
            stub.response.body = contents.body
            return stub
        }
        source.add(stub(source.file, root, at: file.path), at: file.path, to: &loaded)
        var reactions: [Reaction] = []
        var samples: [JSONValue] = []
        for (index, element) in (try list?.elements() ?? []).enumerated() {
            let (state, rest) = Self.parts(of: element.value)
            let contents = try ValueTemplate(LocatedValue(rest, at: element.path))
            guard let part = contents.sample else { throw element.problem("\(noJSON); a block may hold one of them") }
            if let key = Self.keys.first(where: { part[$0.name] != nil })?.name {
                throw element.problem("'\(key)' has no effect within a block; write it beside the block")
            }
            samples.append(part)
            let item = LocatedValue(state, at: element.path)
            try reader.check(item, as: .reaction)
            var stub = stub("\(source.file)#\(key)/\(index)", contents, at: element.path)
            stub.scenario = try StubScenario(item)
            stub.data = try StubData(item, item, &reader)
            stub.moves = try ScenarioMoves(item)
            stub.log = state["log"]?.string
            source.add(stub, at: element.path, to: &loaded)
            reactions.append(Reaction(entry: StubEntry(stub, sequence: 0, position: index), contents: contents))
        }
        if var object = sample.object, list != nil {
            object[key] = .array(samples)
            sample = .object(object)
        }
        (self.sample, self.reactions) = (sample, reactions)
    }

    /// The keys of a reaction that are about state, and the others.
    private static func parts(of reaction: JSONValue) -> (state: JSONValue, rest: JSONValue) {
        guard let object = reaction.object else { return ([:], reaction) }
        let names = keys.map(\.name)
        return object.members.reduce(into: (JSONValue.object([:]), reaction)) { parts, member in
            guard names.contains(member.key) else { return }
            parts.0 = parts.0.setting(member.key, member.value)
            parts.1 = parts.1.setting(member.key, nil)
        }
    }

    /// The contents for one request, without reactions.
    func filled(_ call: AppCall) throws -> JSONValue {
        let exchange = try AppExchange.required
        return try fill(root, exchange.context(call), exchange)
    }

    private func fill(_ value: ValueTemplate, _ context: TemplateContext, _ exchange: AppExchange) throws -> JSONValue {
        do throws(DataError) {
            return try value.json(context, limit: exchange.backend.configuration.templateLimit)
        } catch {
            throw StatusError(error.status, "\(name): \(error.text)")
        }
    }

    /// The first reaction that fits, after its changes.
    ///
    /// - Throws: `StatusError` if the changes can't be made.
    func react(_ call: AppCall, _ fits: @Sendable (JSONValue) -> Bool) async throws -> JSONValue? {
        let exchange = try AppExchange.required
        let backend = exchange.backend
        // Another request may change the scenario's state between the choice and the changes.
        for _ in 0..<64 {
            var context = exchange.context(call)
            context.counts = TemplateCounts(isTrial: true)
            var budget = MatchBudget(context.request)
            defer { backend.givenUpLog.note(budget, exchange.request.title) }
            let found = try reactions.first { reaction in
                guard backend.allows(reaction.entry, context.request, exchange.scope, &budget) else { return false }
                return fits(try fill(reaction.contents, context, exchange))
            }
            guard let found else { return nil }
            let session = exchange.newSession(for: found.entry)
            let (entry, scope) = (found.entry, session?.scope ?? exchange.scope)
            context.data = DataView(buckets: backend.data, scope: scope)
            let own = context
            guard let moves = backend.advance(entry, scope, own) else { continue }
            let change = { @Sendable in backend.change(entry, scope, own, after: moves) }
            let isLarge = entry.data.map { backend.hasLargeData($0, scope, own.request) } ?? false
            let result = isLarge ? try await Blocking.compute(change) : change()
            if case .failure(let refusal) = result { throw StatusError(refusal.status, refusal.text) }
            if let session { exchange.begin(session) }
            context.counts = nil
            return try fill(found.contents, context, exchange)
        }
        throw StatusError(.serviceUnavailable, "too many requests change the scenario at once; try again")
    }
}

extension AppFormat {
    /// The format with the keys for states and data.
    var withState: AppFormat { adding(AppContents.kind.keys, RequestPattern.kinds + DataChange.kinds) }
}

extension JSONValue {
    fileprivate func setting(_ key: String, _ value: JSONValue?) -> JSONValue {
        var object = self.object ?? [:]
        object[key] = value
        return .object(object)
    }
}
