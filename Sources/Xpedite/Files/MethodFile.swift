public import Backlot

extension FileFormat {
    /// Xpedite apps as files of mocks: each `NAME.method.yaml` or `NAME.method.json` is one method of the app at the folder's
    /// path, and `setConnection.method.yaml` is the first page of a session.
    public static func xpedite() -> FileFormat { .app(MethodFile.format) }
}

/// A file that is one method of an app.
enum MethodFile {
    static let format = AppFormat(
        kind: "method",
        hasTags: true,
        vocabulary: Vocabulary(
            [root, response] + XpediteVocabulary.all.kinds,
            for: XpediteVocabulary.all.audiences,
            refusal: "can't read it",
            refusesWhole: false
        ),
        root: root,
        rules: { document, name in
            responses(of: document).flatMap { pointer, response in
                findings(in: response, at: pointer, name: name, XpediteFacts())
            }
        },
        newApp: newApp
    )

    // MARK: The contents of a file

    static let root = Kind(
        "method file",
        as: [Role("method file", hasStep: false)],
        "A method of the app at the folder's path, by its name; setConnection is the first page of a session.",
        noun: "a method's file",
        groups: [.atLeastOne("responses", "components", "rows", "message", "errors")] + conflicts(["responses"]),
        keys: responseKeys + [
            .optional(
                "responses",
                .list(.node(responseRole, only: []), .atLeast(1)),
                "The responses; the first one with all conditions met is used."
            )
        ]
    )
    private static let responseRole = Role("answer")
    static let response = Kind(
        "answer",
        as: [responseRole],
        "One of the responses of a method.",
        groups: [.atLeastOne("components", "rows", "message", "errors")] + conflicts([]),
        keys: responseKeys + [
            .optional("when", .map(.any), "The values that the client must have sent, by their names.")
        ]
    )

    /// A response has one kind of content, but may have components beside rows.
    private static func conflicts(_ more: [String]) -> [KeyGroup] {
        let others = more + ["message", "errors"]
        return [.atMostOne(["rows"] + others)] + others.map { .atMostOne(["components", $0]) }
    }

    /// The most rows of a response.
    private static let usualBatch = 50

    private static let pageKeys = Packet.vocabulary.keys.filter { !["rc", "token", "version"].contains($0.name) }
        .map { key in key.name == "components" ? Key.optional(key.name, key.type, key.meaning) : key }

    private static let responseKeys: [Key] =
        pageKeys + [
            .optional(
                "rc",
                .integer(Int64(Int32.min)...Int64(Int32.max)),
                "The result of the call: with 0 it succeeded, with anything else clients show an error dialog.",
                default: 0
            ),
            .optional(
                "message",
                .string,
                "The text of an error dialog, instead of a page; its \"rc\" is 1 by default."
            ),
            .optional("rows", .array(.map(.any)), "The rows of a table, all of them, each an object of fields."),
            .optional(
                "batch",
                .integer(1...100_000),
                "The most rows of a response.",
                default: .number(JSONNumber(Int64(usualBatch)))
            ),
            .optional("errors", .map(.string), "Messages at the fields of the form, which goes out again with them."),
            .optional("logIn", .string, "The user who is logged in afterwards, such as {{variables.name}}."),
            .optional("logOut", .bool, "Whether nobody is logged in afterwards.", default: false),
            .optional(
                "requiresLogin",
                .either([.bool, .string]),
                "Whether a user must be logged in; or the text of the error dialog for others.",
                default: false
            ),
        ]

    // MARK: Judging

    /// The responses of a file, with their places. Keys beside the responses are defaults for all of them.
    private static func responses(of document: JSONValue) -> [(pointer: String, response: JSONObject)] {
        let file = document.object ?? JSONObject()
        guard let responses = document["responses"]?.array else { return [("", file)] }
        return responses.enumerated().map { index, response in
            var result = response.object ?? JSONObject()
            for member in file.members where member.key != "responses" && result[member.key] == nil {
                result[member.key] = member.value
            }
            return ("/responses/\(index)", result)
        }
    }

    /// The findings of clients for the page of a response.
    private static func findings(
        in response: JSONObject,
        at pointer: String,
        name: String,
        _ facts: XpediteFacts
    ) -> [Finding] {
        guard response["components"] != nil else { return [] }
        var page: JSONObject = ["rc": response["rc"] ?? 0]
        for key in pageKeys { page[key.name] = response[key.name] }
        return XpediteRules.findings(in: .object(page), name: name, facts: facts).map { $0.moved(below: pointer) }
    }

    // MARK: Mounting

    @Sendable private static func newApp() -> AppFormat.Mount {
        let version = ContentVersion()
        return { folder, routes in
            let names = Set(folder.files.map(\.name)).subtracting([MethodTable.connect])
            var known: Set<String> = []
            for file in folder.files where !known.insert(file.name).inserted {
                return routes.report("the method '\(file.name)' has two files; remove one of them", file.source())
            }
            guard let first = folder.files.first(where: { $0.name == MethodTable.connect }) else {
                let text = "the app at \(folder.path)/ has no first page: add a file \(MethodTable.connect).method.yaml"
                return routes.report(text, folder.files[0].source())
            }
            var isRight = true
            for file in folder.files {
                for (pointer, response) in responses(of: file.document) {
                    for finding in findings(in: response, at: pointer, name: file.path, XpediteFacts(methods: names))
                    where finding.rule == "unregistered-method" {
                        isRight = false
                        let fix = "add a file for it, or \(Suggestion.likely(finding, among: names))"
                        routes.report("\(finding.message.dropLast()); \(fix)", file.source(finding.path.pointer))
                    }
                }
            }
            guard isRight else { return }
            let source = first.source()
            var configuration = XpediteConfiguration()
            configuration.clock = folder.clock
            routes.xpedite(
                folder.path.isEmpty ? "/" : folder.path,
                version: version.version(of: folder.files.map(\.document)),
                sessions: folder.sessions,
                configuration: configuration,
                file: source.file,
                line: source.line
            ) { app in
                app.connect { _, call in
                    guard case .page(let page) = try await MethodFileResponse(first, for: call).response(to: call)
                    else {
                        throw StatusError(
                            .internalServerError,
                            "\(first.path) holds rows, but clients connect for a page"
                        )
                    }
                    return page
                }
                for file in folder.files where file.name != first.name {
                    let isTable = responses(of: file.document).allSatisfy { $0.response["rows"] != nil }
                    let method = RegisteredMethod(isTable: isTable) { call in
                        try await MethodFileResponse(file, for: call).response(to: call)
                    }
                    app.add(file.name, method, file.source())
                }
            }
        }
    }

    /// A file's response, chosen for a call, with its tags filled in.
    private struct MethodFileResponse {
        let object: JSONObject

        init(_ file: AppFile, for call: Call) throws {
            var values = call.input()
            if let selected = call.packet["selected"], values["selected"] == nil { values["selected"] = selected }
            let filled = try file.filled(AppCall(call.request, variables: values, user: call.session.user))
            let chosen = MethodFile.responses(of: filled).first { $0.response.isMeant(by: values) }
            guard let chosen else { throw UserError("\(file.path) has no response for these values.") }
            object = chosen.response
        }

        func response(to call: Call) async throws -> MethodResponse {
            let session = call.session
            if let requirement = object["requiresLogin"], requirement != false, session.user == nil {
                throw UserError(requirement.string ?? "Please log in.")
            }
            if let user = object["logIn"]?.string {
                guard !user.isEmpty else { throw UserError("Nobody can log in without a name.") }
                try session.logIn(user: user)
            }
            if object["logOut"] == true { try session.logOut() }
            if let errors = object["errors"]?.object {
                throw FormErrors(Dictionary(errors.members.map { ($0.key, $0.value.text) }) { first, _ in first })
            }
            if let rows = object["rows"]?.array {
                let source = FunctionSource { offset, limit, _ in
                    rows.dropFirst(offset).prefix(limit).compactMap(\.object)
                }
                let response = try await source.response(
                    to: call,
                    batch: integer("batch").map { min(max($0, 1), 100_000) } ?? MethodFile.usualBatch
                )
                guard case .rows(let batch, let max, _) = response else { return response }
                return .rows(batch, max: max, components: object["components"]?.array)
            }
            let code = integer("rc")
            if let message = object["message"] { return .page(page { label(message.text) }.rc(code ?? 1)) }
            return .page(try Page(written: object).rc(code ?? 0))
        }

        private func integer(_ key: String) -> Int? { object[key]?.number?.int64.map { Int($0) } }
    }
}

extension Suggestion {
    /// Advice on replacing the method that a finding is about.
    fileprivate static func likely(_ finding: Finding, among names: Set<String>) -> String {
        let methods = names.sorted().joined(separator: ", ")
        return methods.isEmpty ? "remove it: the folder has no other methods" : "name one of \(methods)"
    }
}

extension JSONObject {
    /// Whether a response is for some values: each condition's value must be there, as a value or as its text.
    fileprivate func isMeant(by values: JSONObject) -> Bool {
        (self["when"]?.object?.members ?? []).allSatisfy { condition in
            guard let value = values[condition.key] else { return condition.value.isNull }
            return value == condition.value || value.text == condition.value.text
        }
    }
}

extension JSONValue {
    /// A string itself; any other value as JSON.
    fileprivate var text: String { string ?? description }
}
