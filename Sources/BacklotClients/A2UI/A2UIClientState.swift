public import A2UI
public import Backlot

/// The state of an A2UI client: its surfaces, and what its user has opened, selected and typed. A value without I/O.
public struct A2UIClientState: Sendable {
    /// A node of a surface with local state. A component of another type at the same path starts anew.
    private struct Place: Hashable {
        let surface: String
        let path: String
        let type: String

        init(_ component: ShownComponent) {
            (surface, path, type) = (component.surface, component.node.path, component.type)
        }

        init(modal path: String, _ surface: String) { (self.surface, self.path, type) = (surface, path, "Modal") }
    }

    /// The reason why a user can't do something.
    struct RefusedStepError: Error {
        let text: String

        init(_ text: String) { self.text = text }

        /// A missing name, with a similar one as a suggestion.
        init(_ problem: String, _ name: String, among names: [String]) {
            let near = Suggestion.nearest(to: name, among: names).map { "; there is \"\($0)\"" } ?? ""
            text = "\(problem) \"\(name)\"\(near)"
        }
    }

    /// The surfaces with their components and data models.
    public private(set) var processor: Processor
    /// The ids of the open surfaces, the oldest first.
    public private(set) var surfaceIDs: [String] = []
    /// The functions that the user's taps have called, such as `openUrl`, the latest last.
    public private(set) var effects: [Evaluator.Effect] = []
    /// The nodes of each surface, with the values of its model.
    private(set) var trees: [String: NodeTree] = [:]
    /// The number of nodes after which further surfaces aren't shown.
    var nodeLimit = NodeTree.limit
    /// The selected tabs. The first one is selected without an entry.
    private var selections: [Place: Int] = [:]
    /// The open modals, the innermost last.
    private var modals: [Place] = []
    /// The values of inputs that aren't bound. The server never learns of them.
    private var drafts: [Place: JSONValue] = [:]

    /// Creates a client without surfaces.
    ///
    /// - Parameter catalogs: the catalogs beside the basic ones.
    public init(catalogs: [Catalog] = []) {
        let own = Dictionary(catalogs.map { ($0.id, $0) }) { _, last in last }
        processor = Processor(catalogs: Catalog.basics.merging(own) { _, own in own }, strictness: .schema)
    }

    /// Applies the messages of a server.
    ///
    /// - Returns: the errors of wrong messages. The others count.
    public mutating func receive(_ document: JSONValue) -> [A2UIError] {
        var errors = processor.apply(document)
        let deleted = ServerMessage.list(document).compactMap { $0["deleteSurface"]?["surfaceId"]?.string }
        surfaceIDs.removeAll { processor.surfaces[$0] == nil || deleted.contains($0) }
        surfaceIDs += processor.surfaces.keys.filter { !surfaceIDs.contains($0) }.sorted()
        trees = [:]
        var count = 0
        for id in surfaceIDs {
            guard count < nodeLimit else {
                errors.append(.unshown(id, nodeLimit))
                continue
            }
            trees[id] = processor.nodes(of: id)
            count += trees[id]?.order.count ?? 0
        }
        let (trees, isDeleted) = (trees, { deleted.contains($0) })
        func isThere(_ place: Place) -> Bool {
            !isDeleted(place.surface) && trees[place.surface]?.nodes[place.path]?.component?.type == place.type
        }
        modals = modals.filter(isThere)
        selections = selections.filter { isThere($0.key) }
        drafts = drafts.filter { isThere($0.key) }
        return errors
    }

    // MARK: The stream

    /// The id of the last event of the stream that completed a change: 0 for a stream without events so far, nil without a stream.
    public private(set) var lastEventID: String?
    /// Whether no change of the stream is incomplete.
    private(set) var (isWhole, parser) = (true, EventParser())

    /// Forgets the incomplete event of a former stream.
    mutating func beginStream() { (parser, isWhole, lastEventID) = (EventParser(), true, lastEventID ?? "0") }

    /// Applies the events that further bytes of the server's stream complete. An event with an id is the last one of a change.
    ///
    /// - Parameter limit: the most bytes of an event.
    /// - Returns: the errors of wrong messages.
    mutating func receive(_ piece: [UInt8], limit: Int) throws(ClientError) -> [A2UIError] {
        var errors: [A2UIError] = []
        for case .event(let event) in parser.read(piece) {
            guard let message = try? JSONValue(parsing: event.data) else {
                throw .malformed("an event is no JSON: \(event.data.excerpt)")
            }
            errors += receive(message)
            isWhole = event.id?.isEmpty == false
            if isWhole { lastEventID = event.id }
        }
        guard parser.pendingBytes <= limit else { throw .bodyTooLarge(limit: limit) }
        return errors
    }

    /// The nodes and the models of all surfaces.
    var contents: (nodes: [String: [String: Node]], models: [String: JSONValue]) {
        (trees.mapValues(\.nodes), processor.surfaces.mapValues(\.model.value))
    }

    /// Takes the messages that the client must send without a step: reports of errors, and outcomes of the server's calls.
    mutating func takeOutbox() -> [ClientMessage] { processor.takeOutbox() }

    /// The body of a request with messages, and with the models of surfaces that send them.
    func body(of messages: [ClientMessage]) -> JSONValue {
        let version = messages.first?.version ?? .v0_9
        return ["messages": .array(messages.map(\.json)), "metadata": metadata(version, withModels: true)]
    }

    /// The facts about the client that go beside its messages.
    func metadata(_ version: ProtocolVersion, withModels: Bool) -> JSONValue {
        let side = version.isOne ? "Renderer" : "Client"
        var metadata: JSONObject = ["a2ui\(side)Capabilities": processor.capabilities(version)]
        if withModels { metadata["a2ui\(side)DataModel"] = processor.dataModels(version) }
        return .object(metadata)
    }

    // MARK: The screen

    /// The components on the screen from top to bottom, each before those in it: all surfaces, or the innermost open modal.
    var shown: [ShownComponent] {
        var shown: [ShownComponent] = []
        func add(_ path: String, _ surface: String, _ depth: Int, _ modal: (path: String, trigger: String)? = nil) {
            guard let tree = trees[surface], let node = tree.nodes[path], node.component != nil else { return }
            let part = ShownComponent(surface: surface, node: node, tree: tree, depth: depth, modal: modal)
            shown.append(part)
            if part.isModal, let trigger = part.path("trigger") {
                add(trigger, surface, depth + 1, (path, trigger))
            } else if let tabs = part.tabs {
                let index = selections[Place(part)] ?? 0
                if tabs.indices.contains(index), let path = tabs[index].child { add(path, surface, depth + 1) }
            } else {
                // A Button that opens a modal may have its label in any depth.
                for child in node.children { add(child, surface, depth + 1, modal) }
            }
        }
        if let modal = modals.last, let tree = trees[modal.surface], let node = tree.nodes[modal.path] {
            let part = ShownComponent(surface: modal.surface, node: node, tree: tree, depth: 0)
            if let content = part.path("content") { add(content, modal.surface, 0) }
        } else {
            for id in surfaceIDs { add("root", id, 0) }
        }
        return shown
    }

    /// Whether a modal covers the surfaces.
    var hasModal: Bool { !modals.isEmpty }

    /// The index of the selected tab.
    func selection(of component: ShownComponent) -> Int { selections[Place(component)] ?? 0 }

    /// The value of an input.
    func value(of input: ShownComponent) -> JSONValue? {
        drafts[Place(input)] ?? input.value("value")
    }

    /// The failing checks of a component.
    func failures(of component: ShownComponent) -> [CheckFailure] {
        processor.failures(of: component.node, on: component.surface)
    }

    // MARK: Steps

    /// The things that can be tapped, with the texts on them: buttons, triggers of modals, and titles of tabs.
    var tappables: [(text: String, component: ShownComponent, tab: Int?)] {
        shown.flatMap { part -> [(String, ShownComponent, Int?)] in
            if let tabs = part.tabs { return tabs.enumerated().map { ($0.element.title, part, $0.offset) } }
            if part.hasAction { return [(part.label, part, nil)] }
            // The trigger of a modal, unless a button in it is tapped instead.
            return part.modal?.trigger == part.node.path && !part.holdsAction ? [(part.label, part, nil)] : []
        }
    }

    /// Taps a button, the trigger of a modal, or the title of a tab.
    ///
    /// - Parameters:
    ///   - name: the text on it, or the id of the component.
    ///   - number: its number among those with the same text, from 1.
    /// - Returns: the message to send; nil if the tap concerns only the client.
    mutating func tap(_ name: String, number: Int = 1, at timestamp: String) throws(RefusedStepError) -> ClientMessage?
    {
        let all = tappables
        var found = all.filter { $0.text == name }
        if found.isEmpty { found = all.filter { $0.component.node.componentID == name && $0.tab == nil } }
        guard !found.isEmpty else { throw RefusedStepError("no button, tab or modal", name, among: all.map(\.text)) }
        guard found.indices.contains(number - 1) else {
            throw RefusedStepError("there are \(found.count) \"\(name)\", not \(number)")
        }
        let (_, part, tab) = found[number - 1]
        guard let tab else { return try tap(part, name, at: timestamp) }
        selections[Place(part)] = tab
        return nil
    }

    /// Taps a button or the trigger of a modal. An error calls it by the name.
    mutating func tap(
        _ part: ShownComponent,
        _ name: String,
        at timestamp: String
    ) throws(RefusedStepError) -> ClientMessage? {
        if let failure = failures(of: part).first(where: { $0.severity == "error" }), part.hasAction {
            throw RefusedStepError("\"\(name)\" is disabled: \(failure.message ?? failure.code ?? "a check fails")")
        }
        if let modal = part.modal { modals.append(Place(modal: modal.path, part.surface)) }
        guard let property = part.actionProperty else { return nil }
        let tap = processor.tap(part.node, property: property, on: part.surface, at: timestamp)
        effects += tap?.effects ?? []
        return tap?.message
    }

    /// Closes the innermost modal.
    mutating func closeModal() throws(RefusedStepError) {
        guard modals.popLast() != nil else { throw RefusedStepError("no modal is open") }
    }

    /// The inputs on the screen.
    var inputs: [ShownComponent] { shown.filter { $0.input != nil } }

    /// An input, by its label or its component's id.
    func input(_ name: String, _ kinds: ShownComponent.Input...) throws(RefusedStepError) -> ShownComponent {
        let all = inputs.filter { kinds.contains($0.input ?? .text) }
        let found = all.first { $0.label == name } ?? all.first { $0.node.componentID == name }
        guard let found else {
            let names = all.map { $0.label.isEmpty ? $0.node.componentID : $0.label }
            throw RefusedStepError("no \(kinds.map(\.rawValue).joined(separator: " or "))", name, among: names)
        }
        return found
    }

    /// Types a text into an input: a text, a date or time in ISO 8601, or a number.
    mutating func enter(_ text: String, into name: String) throws(RefusedStepError) {
        let input = try input(name, .text, .date, .number)
        switch input.input {
        case .date:
            guard text.isEmpty || input.takesDate(text) else {
                throw RefusedStepError("\"\(name)\" takes \(input.dateNoun), not \"\(text)\"")
            }
            try write(.string(text), into: input)
        case .number:
            let range = input.range
            guard let number = try? JSONValue(parsing: text), let value = number.number?.double, range.contains(value)
            else {
                throw RefusedStepError("\"\(name)\" takes a number from \(range.lowerBound) to \(range.upperBound)")
            }
            try write(number, into: input)
        default: try write(.string(text), into: input)
        }
    }

    /// Switches a check box.
    mutating func set(_ isOn: Bool, _ name: String) throws(RefusedStepError) {
        try write(.bool(isOn), into: try input(name, .box))
    }

    /// Chooses an option, by its label or value. In an input with several choices, it adds the option or takes it away.
    mutating func choose(_ option: String, from name: String) throws(RefusedStepError) {
        let input = try input(name, .choice, .date, .number)
        guard input.input == .choice else { return try enter(option, into: name) }
        let options = input.options
        guard let found = options.first(where: { $0.label == option }) ?? options.first(where: { $0.value == option })
        else { throw RefusedStepError("no option", option, among: options.map(\.label)) }
        var chosen = (value(of: input)?.array ?? []).compactMap(\.string)
        if !input.isMultiple {
            chosen = [found.value]
        } else if chosen.contains(found.value) {
            chosen.removeAll { $0 == found.value }
        } else {
            chosen.append(found.value)
        }
        try write(.array(chosen.map(JSONValue.string)), into: input)
    }

    private mutating func write(_ value: JSONValue, into input: ShownComponent) throws(RefusedStepError) {
        guard let path = input.target("value") else { return drafts[Place(input)] = value }
        do throws(A2UIError) {
            try processor.write(value, at: path, surface: input.surface)
        } catch {
            throw RefusedStepError(error.message)
        }
        trees[input.surface] = processor.nodes(of: input.surface)
    }
}

extension A2UIError {
    /// A surface beside others with so many nodes that the client doesn't show it.
    fileprivate static func unshown(_ id: String, _ limit: Int) -> A2UIError {
        let text = "The surface isn't shown: the surfaces before it have \(limit) nodes. Close some of them."
        return A2UIError(.recursion, "too_many_nodes", text, surface: id)
    }
}
