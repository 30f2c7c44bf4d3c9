public import Backlot

extension FileFormat {
    /// A2UI apps as files of mocks: each `NAME.a2ui.yaml` or `NAME.a2ui.json` is a surface of the app at the folder's path, with the
    /// responses to its actions.
    public static func a2ui() -> FileFormat { .app(SurfaceFile.format) }
}

/// A file with a surface: its components and its model, or messages as they stand, and the responses to actions.
enum SurfaceFile {
    static let format = AppFormat(
        kind: "a2ui",
        hasTags: true,
        vocabulary: Vocabulary(
            [root, reaction] + A2UIVocabulary.all.kinds,
            for: [A2UIVocabulary.anyVersion],
            refusal: A2UIVocabulary.all.refusal,
            refusesWhole: false
        ),
        root: root,
        reactions: ("actions", reactionRole),
        lines: AppFormat.Lines("messages", reaction: { reaction(of: $0) }),
        rules: { findings(in: $0, name: $1) },
        newApp: { { folder, routes in mount(folder, on: routes) } }
    )

    // MARK: The contents of a file

    private static let messages = Key.optional("messages", .array(.map(.any)), "Messages as they stand.")

    private static let root = Kind(
        "surface file",
        as: [Role("surface file", hasStep: false)],
        "A surface of the app at the folder's path. Its id is the file's name.",
        noun: "a surface's file",
        groups: [.exactlyOne("components", "messages")],
        keys: [
            .optional(
                "version",
                .oneOf(ProtocolVersion.allCases.map { Name(text: $0.rawValue) }, ifUnknown: .refusal),
                "The version of A2UI.",
                default: "v0.9"
            ),
            .optional("catalogId", .string, "The catalog; by default the basic one."),
            .optional("catalog", .map(.any), "A catalog of your own, as JSON, for components in messages."),
            .optional("sendDataModel", .bool, "Whether clients send the data model with actions.", default: true),
            .optional("model", .map(.any), "The data model."),
            .optional("components", A2UIVocabulary.componentList, "The components. The tree begins at the id root."),
            messages,
            .optional("actions", .objects(reactionRole), "The responses to actions. The first that fits is used."),
        ]
    )

    private static let reactionRole = Role("action", labels: ["name"])
    private static let reaction = Kind(
        "reaction",
        as: [reactionRole],
        "The response to an action. It may also have the keys of `state`.",
        keys: [
            .required("name", .string, "The action's name."),
            .optional("when", .map(.any), "The values that the context must have, by their names."),
            .optional("set", .map(.any), "Values for the data model, by their paths; null deletes."),
            .optional("components", A2UIVocabulary.componentList, "New components, and others for known ids."),
            .optional("close", .bool, "Whether the surface closes.", default: false),
            .optional("open", .string, "The surface of another file to open."),
            messages,
            .optional("status", .integer(400...599), "The status of a failure, instead of 200."),
            .optional("message", .string, "The text of the failure."),
        ]
    )

    /// The reaction that a line with a client's action begins; nil for a message of the server. Other members stay.
    private static func reaction(of line: JSONValue) -> JSONObject? {
        guard let action = line["action"], var reaction = line.object else { return nil }
        (reaction["action"], reaction["version"], reaction["name"]) = (nil, nil, action["name"])
        if let context = action["context"]?.object, context.count > 0 { reaction["when"] = .object(context) }
        return reaction
    }

    // MARK: Messages

    /// A message, and the locations of its main part in the message and in the file.
    private struct Part {
        let message: JSONValue
        var wire = ""
        var file = ""
    }

    private static func version(of file: JSONValue) -> ProtocolVersion {
        file["version"]?.string.flatMap(ProtocolVersion.init(rawValue:)) ?? .v0_9
    }

    private static func raw(_ object: JSONValue, _ pointer: String) -> [Part] {
        (object["messages"]?.array ?? []).enumerated().map { index, message in
            Part(message: message, wire: "", file: "\(pointer)/messages/\(index)")
        }
    }

    private static func update(_ file: JSONValue, _ id: String, _ components: JSONValue?, _ pointer: String) -> [Part] {
        guard let objects = components?.array?.compactMap(\.object), !objects.isEmpty else { return [] }
        let message = ServerMessage(version(of: file), .updateComponents(id, objects))
        return [Part(message: message.json, wire: "/updateComponents/components", file: "\(pointer)/components")]
    }

    /// The messages that open a surface.
    private static func opening(_ file: JSONValue, _ id: String) -> [Part] {
        guard file["messages"] == nil else { return raw(file, "") }
        let version = version(of: file)
        let own = file["catalogId"] ?? file["catalog"]?["catalogId"]
        let creation = ServerMessage.Creation(
            catalogID: own?.string ?? (version.isOne ? Catalog.basic1_0.id : Catalog.basic0_9.id),
            sendsDataModel: file["sendDataModel"]?.bool ?? true
        )
        let model = ServerMessage(version, .updateDataModel(id, path: "/", value: file["model"] ?? [:]))
        return [
            Part(
                message: ServerMessage(version, .createSurface(id, creation)).json,
                wire: "/createSurface/catalogId",
                file: "/catalogId"
            ),
            Part(message: model.json, wire: "/updateDataModel/value", file: "/model"),
        ] + update(file, id, file["components"], "")
    }

    /// The messages of a reaction, without those of other surfaces.
    private static func response(_ file: JSONValue, _ id: String, _ reaction: JSONValue, _ pointer: String) -> [Part] {
        let version = version(of: file)
        let writes = (reaction["set"]?.object?.members ?? []).map { member in
            let value = member.value == .null ? nil : member.value
            return Part(
                message: ServerMessage(version, .updateDataModel(id, path: member.key, value: value)).json,
                wire: "/updateDataModel/path",
                file: "\(pointer)/set\(JSONPointer.step(member.key))"
            )
        }
        let closing = reaction["close"] == true ? [Part(message: ServerMessage(version, .deleteSurface(id)).json)] : []
        return writes + update(file, id, reaction["components"], pointer) + closing + raw(reaction, pointer)
    }

    // MARK: Judging

    private static func findings(in file: JSONValue, name: String) -> [Finding] {
        let id = String(name.split(separator: "/").last?.split(separator: ".").first ?? "surface")
        var catalogs: [Catalog] = []
        if let own = file["catalog"] {
            do throws(A2UIError) {
                catalogs = [try Catalog(own, version: version(of: file))]
            } catch {
                let path = FindingPath(page: name, pointer: "/catalog\(error.path)")
                return [
                    Finding(.error, rule: error.code, path: path, message: error.message, fix: "Correct the catalog.")
                ]
            }
        }
        func judge(_ parts: [Part]) -> [Finding] {
            let inspector = A2UIInspector(catalogs: catalogs)
            let findings = inspector.findings(in: .array(parts.map(\.message)), path: name, app: nil)
            return findings.map { finding in
                let steps = JSONPointer.steps(of: finding.path.pointer)
                guard let part = steps.first.flatMap({ Int($0) }).map({ parts[$0] }) else { return finding }
                let rest = steps.dropFirst().map(JSONPointer.step).joined()
                let isInside = rest.hasPrefix(part.wire)
                return finding.moved(to: part.file + (isInside ? rest.dropFirst(part.wire.count) : ""))
            }
        }
        let reactions = (file["actions"]?.array ?? []).enumerated().flatMap { index, reaction in
            judge(response(file, id, reaction, "/actions/\(index)"))
        }
        return judge(opening(file, id)) + reactions
    }

    // MARK: Mounting

    private static func mount(_ folder: AppFolder, on routes: any Routes) {
        let files = Dictionary(folder.files.map { ($0.name, $0) }) { first, _ in first }
        for file in folder.files {
            guard files[file.name]?.path == file.path else {
                return routes.report("the surface '\(file.name)' has two files; remove one of them", file.source())
            }
            for (index, reaction) in (file.document["actions"]?.array ?? []).enumerated() {
                guard let other = reaction["open"]?.string, files[other] == nil else { continue }
                let near = Suggestion.hint(for: other, among: files.keys.sorted())
                let text = "this folder has no surface '\(other)'\(near); add a file \(other).a2ui.yaml"
                return routes.report(text, file.source("/actions/\(index)/open"))
            }
        }
        let base = folder.path + "/"
        let names = files.keys.sorted()
        func add(
            _ method: HTTPRequest.Method,
            _ path: String,
            _ respond: @escaping @Sendable (Request) async throws -> Response
        ) {
            routes.add(Route(method, base + path, handler: FunctionHandler(respond), source: folder.files[0].source()))
        }
        add(.get, "") { _ in Response(json: ["surfaces": .array(names.map { .string("\(base)surfaces/\($0)") })]) }
        for (name, file) in files {
            add(.get, "surfaces/\(name)") { MessageForm($0).response(with: try opened(file, $0)) }
        }
        add(.post, "actions") { request in
            let body = try await request.json()
            let sent = body.array ?? body["messages"]?.array ?? [body]
            guard sent.count <= ClientMessage.requestLimit else {
                let text = "a request has at most \(ClientMessage.requestLimit) messages, but this one \(sent.count)"
                throw StatusError(.contentTooLarge, text)
            }
            var messages: [JSONValue] = []
            for message in sent {
                messages += try await react(to: message, files, body, request)
                await Task.yield()
            }
            return MessageForm(request).response(with: messages)
        }
        routes.add(
            MountedApp(
                .a2ui,
                basePath: base,
                inspector: A2UIInspector(),
                openPages: { names.map { "\(base)surfaces/\($0)" } },
                hasPage: { path in names.contains { path == "\(base)surfaces/\($0)" } }
            )
        )
    }

    /// The messages of a file's surface. It is closed first, for a client that has it open.
    private static func opened(_ file: AppFile, _ request: Request) throws -> [JSONValue] {
        let filled = try file.filled(AppCall(request))
        let closing = ServerMessage(version(of: filled), .deleteSurface(file.name)).json
        return [closing] + opening(filled, file.name).map(\.message)
    }

    /// The response to a client's message. Reports of errors get no response.
    private static func react(
        to message: JSONValue,
        _ files: [String: AppFile],
        _ body: JSONValue,
        _ request: Request
    ) async throws -> [JSONValue] {
        let content: ClientMessage.Content
        do throws(A2UIError) {
            content = try ClientMessage(message).content
        } catch {
            throw StatusError(.badRequest, "\(error)")
        }
        guard case .action(let action) = content else { return [] }
        guard let file = files[action.surfaceID] else {
            let near = Suggestion.hint(for: action.surfaceID, among: files.keys.sorted())
            throw StatusError(.notFound, "there is no surface '\(action.surfaceID.excerpt)'\(near)")
        }
        var variables = action.context
        let metadata = body["metadata"]
        let models = metadata?["a2uiClientDataModel"] ?? metadata?["a2uiRendererDataModel"]
        variables["model"] = models?["surfaces"]?[action.surfaceID]
        let reaction = try await file.reaction(AppCall(request, variables: variables)) { reaction in
            reaction["name"]?.string == action.name
                && (reaction["when"]?.object?.members ?? []).allSatisfy {
                    (action.context[$0.key] ?? .null) == $0.value
                }
        }
        guard let reaction else {
            let names = (file.document["actions"]?.array ?? []).compactMap { $0["name"]?.string }
            guard !names.contains(action.name) else { return [] }
            let near = Suggestion.hint(for: action.name, among: names)
            throw StatusError(.notFound, "\(file.path) has no action '\(action.name.excerpt)'\(near)")
        }
        if let status = reaction["status"]?.number?.int64 {
            throw StatusError(.ofError(status), reaction["message"]?.string ?? "this action fails")
        }
        let other = try reaction["open"]?.string.flatMap { files[$0] }.map { try opened($0, request) } ?? []
        return response(file.document, file.name, reaction, "").map(\.message) + other
    }
}

extension Finding {
    fileprivate func moved(to pointer: String) -> Finding {
        let path = FindingPath(page: path.page, pointer: pointer)
        return Finding(severity, rule: rule, path: path, message: message, fix: fix, isRejection: isRejection)
    }
}
