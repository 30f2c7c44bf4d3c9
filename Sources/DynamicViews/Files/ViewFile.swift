public import Backlot

extension FileFormat {
    /// Dynamic Views as files of mocks: `NAME.view.json` or `NAME.view.yaml` is the view `NAME` of the folder's path, with the
    /// effects of interactions.
    public static func dynamicViews() -> FileFormat { .app(ViewFile.format) }
}

/// A file with a view: its document, and the effects of interactions.
enum ViewFile {
    static let format = AppFormat(
        kind: "view",
        hasTags: true,
        vocabulary: Vocabulary(
            [root, state, reaction] + DynamicViewsVocabulary.all.kinds,
            for: DynamicViewsVocabulary.all.audiences,
            refusal: DynamicViewsVocabulary.all.refusal
        ),
        root: root,
        rules: { document, name in
            documents(of: document).flatMap { pointer, document in
                DynamicViewsRules.findings(in: document, name: name).map { $0.moved(below: pointer) }
            } + unsuitable(in: document, name: name)
        },
        ignores: { finding, hasBlocks in
            // The document for each platform leaves out the other's keys. Blocks decide which widgets a document has.
            finding.rule == "key-of-other-dialect"
                || hasBlocks && ["unknown-widget", "impossible-interaction"].contains(finding.rule)
        },
        newApp: { { folder, routes in mount(folder, on: routes) } }
    )

    // MARK: The contents of a file

    static let root = Kind(
        "view file",
        as: [Role("view file", hasStep: false)],
        "The view of the folder's path that has the file's name: its document, and what interactions do.",
        noun: "a view's file",
        keys: Document.vocabulary.keys + [
            .optional("interactions", .objects(reactionRole), "The reactions to the clients' interactions."),
            .optional("states", .objects(stateRole), "The documents in states that interactions lead to."),
        ]
    )
    private static let stateRole = Role("state", labels: ["name"])
    private static let reactionRole = Role("interaction", labels: ["widget"])

    private static let state = Kind(
        "state",
        as: [stateRole],
        "The document in a state that interactions lead to.",
        keys: [
            .required(
                "name",
                .string,
                "The state's name. It is the same for all views of the folder, and each client has its own state."
            )
        ] + Document.vocabulary.keys
    )

    private static let reaction = Kind(
        "interaction",
        as: [reactionRole],
        "The reaction to an interaction.",
        keys: [
            .required("widget", .string, "The widget's id."),
            .optional(
                "on",
                .names([
                    "tap": "The widget was tapped.", "toggle": "The toggle was switched.",
                    "choice": "An option was chosen.", "receipt": "A purchase was tapped.",
                    "more": "The user requested more purchases.",
                ]),
                "The kind of interaction.",
                default: "tap"
            ),
            .optional(
                "value",
                .either([.bool, .string]),
                "Whether the toggle is on, or the id of the option or receipt; without it, any."
            ),
            .optional("state", .string, "The state afterwards; Started is the document of the file itself."),
            .optional("status", .integer(400...599), "The status of a failure, instead of 204."),
            .optional("message", .string, "The text of the failure."),
        ]
    )

    /// The state that shows a file's own document.
    private static let started = "Started"

    private static func documents(of file: JSONValue) -> [(pointer: String, document: JSONValue)] {
        let states = (file["states"]?.array ?? []).enumerated().map { ("/states/\($0.offset)", plain($0.element)) }
        return [("", plain(file))] + states
    }

    /// Only the document, as clients get it.
    private static func plain(_ value: JSONValue) -> JSONValue {
        ["configuration": value["configuration"] ?? [:], "widgets": value["widgets"] ?? []]
    }

    private static func reactions(of file: JSONValue) -> [JSONValue] { file["interactions"]?.array ?? [] }

    // MARK: Judging

    /// Findings for interactions that never happen: no document has the widget, or the widget has no such interaction.
    private static func unsuitable(in file: JSONValue, name: String) -> [Finding] {
        var kinds: [String: [Interaction.Kind]] = [:]
        for (_, document) in documents(of: file) {
            for node in DynamicViewsRules.tree(of: document).nodes where node.role == .widget {
                guard let id = node.string("id") else { continue }
                kinds[id, default: []] += InteractionRouting.kinds(withType: node.name)
            }
        }
        return reactions(of: file).enumerated().compactMap { index, reaction in
            guard let id = reaction["widget"]?.string else { return nil }
            func finding(_ rule: String, _ key: String, _ message: String, fix: String) -> Finding {
                let path = FindingPath(page: name, pointer: "/interactions/\(index)\(JSONPointer.step(key))")
                return Finding(.error, rule: rule, path: path, message: message, fix: fix)
            }
            guard let offered = kinds[id] else {
                // Tags make other ids.
                if kinds.keys.contains(where: { $0.contains("{{") }) { return nil }
                let hint = Suggestion.hint(for: id, among: kinds.keys.sorted())
                let fix = "Write the id of one, or remove the interaction."
                return finding("unknown-widget", "widget", "The view has no widget \(id.quoted)\(hint).", fix: fix)
            }
            let kind = reaction["on"]?.string ?? Interaction.Kind.tap.rawValue
            guard offered.contains(where: { $0.rawValue == kind }) else {
                let all = Set(offered.map(\.rawValue)).sorted().map { "\"on\": \($0.quoted)" }
                return finding(
                    "impossible-interaction",
                    reaction["on"] == nil ? "widget" : "on",
                    "The widget \(id.quoted) has no interaction \(kind.quoted).",
                    fix: "Write \(all.joined(separator: " or ")), or remove the interaction."
                )
            }
            guard reaction["value"] != nil, kind == "tap" || kind == "more" else { return nil }
            let message = "The interaction \(kind.quoted) has no value, so that this one never happens."
            return finding("impossible-interaction", "value", message, fix: "Remove \"value\".")
        }
    }

    // MARK: Mounting

    private static func mount(_ folder: AppFolder, on routes: any Routes) {
        var states: Set<String> = [started]
        for file in folder.files {
            var own: Set<String> = [started]
            for (index, state) in (file.document["states"]?.array ?? []).enumerated() {
                guard let name = state["name"]?.string, !own.insert(name).inserted else { continue }
                let text = "the view has two documents for the state '\(name)'; remove one, or rename it"
                return routes.report(text, file.source("/states/\(index)/name"))
            }
            states.formUnion(own)
        }
        for file in folder.files {
            for (index, reaction) in reactions(of: file.document).enumerated() {
                guard let state = reaction["state"]?.string, !state.contains("{{"), !states.contains(state) else {
                    continue
                }
                return routes.report(unknown(state, among: states), file.source("/interactions/\(index)/state"))
            }
        }
        let known = states
        var configuration = DynamicViewsConfiguration()
        // The files of a folder are one app: it has the clients that can read all of them.
        configuration.dialects = [.ios] + (folder.files.allSatisfy(isForAndroid) ? [.android] : [])
        let source = folder.files[0].source()
        routes.dynamicViews(
            folder.path + "/",
            sessions: folder.sessions,
            configuration: configuration,
            file: source.file,
            line: source.line
        ) { views in
            for file in folder.files {
                let source = file.source()
                views.view(file.name, file: source.file, line: source.line) { try await document(of: file, for: $0) }
                    .onInteraction { try await react(to: $0, with: file, known, $1) }
            }
        }
    }

    private static func unknown(_ state: String, among states: Set<String>) -> String {
        let hint = Suggestion.hint(for: state, among: states.sorted())
        return "no view of this folder has the state '\(state)'\(hint); add it under \"states\""
    }

    private static func isForAndroid(_ file: AppFile) -> Bool {
        documents(of: file.document).allSatisfy { _, value in
            guard let document = try? Document(value),
                let object = try? JSONValue(parsing: document.bytes(for: .android))
            else { return false }
            let findings = DynamicViewsRules.findings(in: object, name: file.path, dialect: .android)
            return !findings.contains { $0.severity == .error }
        }
    }

    /// The document of a file in the client's state.
    private static func document(of file: AppFile, for request: Request) async throws -> Document {
        let state = try await request.session[ViewStateKey.self] ?? started
        let filled = try file.filled(AppCall(request, user: try await request.session.user))
        let own = (filled["states"]?.array ?? []).first { $0["name"]?.string == state }
        do throws(DocumentError) {
            return try Document(plain(own ?? filled))
        } catch {
            throw StatusError(.internalServerError, "\(file.path): \(error)")
        }
    }

    /// Carries out a file's reaction to an interaction, if it has one.
    private static func react(
        to interaction: Interaction,
        with file: AppFile,
        _ states: Set<String>,
        _ request: Request
    ) async throws {
        let value: JSONValue? =
            switch interaction.event {
            case .tap, .more: nil
            case .toggle(let isOn): .bool(isOn)
            case .choice(let id), .receipt(let id): .string(id)
            }
        let filled = try file.filled(
            AppCall(request, variables: interaction.userInfo, user: try await request.session.user)
        )
        let reaction = reactions(of: filled).first { reaction in
            reaction["widget"]?.string == interaction.widgetID
                && reaction["on"]?.string ?? "tap" == interaction.kind.rawValue
                && (reaction["value"] == nil || reaction["value"] == value)
        }
        guard let reaction else { return }
        if let status = reaction["status"]?.number?.int64 {
            throw StatusError(.ofError(status), reaction["message"]?.string ?? "this interaction fails")
        }
        if let state = reaction["state"]?.string {
            let own = filled["states"]?.array ?? []
            guard states.contains(state) || own.contains(where: { $0["name"]?.string == state }) else {
                throw StatusError(.internalServerError, "\(file.path): \(unknown(state, among: states))")
            }
            try await request.session.set(ViewStateKey.self, to: state == started ? nil : state)
        }
    }
}

/// The key of a client's state in the session.
private enum ViewStateKey: SessionKey {
    static let name = "viewState"
    typealias Value = String
}
