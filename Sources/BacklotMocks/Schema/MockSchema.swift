public import Backlot
public import BacklotJSON

/// The JSON Schemas of the files below `Routes/`, for editors: made of the lists that the readers of these files use.
public struct MockSchema: Sendable {
    /// The schema of a page's file: `NAME.page.json`, `NAME.page.yaml`.
    public let page: JSONValue
    /// The schema of any other route's file in YAML, such as `NAME.get.yaml` and `NAME.rpc.yaml`.
    public let route: JSONValue
    /// The schema of a file in `mappings`, as WireMock has it.
    public let mapping: JSONValue
    /// The schema of a file in `data`, which declares data that routes change.
    public let data: JSONValue
    /// The schema of `NAME.crud.yaml`: REST routes for data.
    public let crud: JSONValue
    /// The schemas of the files that make up apps, by the kinds in their names, such as `method`.
    public let apps: [(kind: String, schema: JSONValue)]

    /// The schemas of files that may hold pages and apps of some protocols.
    public init(formats: [FileFormat]) {
        let configuration = MockConfiguration(formats: formats)
        let pages = configuration.pages
        let words = pages?.words
        let kinds = Self.kinds(page: words?.page)
        let vocabulary = Vocabulary(
            kinds + (words?.vocabulary.kinds ?? []),
            for: words?.vocabulary.audiences ?? [Audience(dialect: "mocks", noun: "mocks", advice: "")],
            refusal: "refuse the file"
        )
        let pageKinds = words.map { $0.vocabulary.kinds(as: $0.page) } ?? []
        let own = kinds.flatMap(\.roles)
        let schema = VocabularySchema(vocabulary, roots: Array(kinds[0...3]) + pageKinds) { role in
            !own.contains(role)
        }
        let (file, mapping) = (kinds[0], kinds[1])
        route = schema.document(of: file, title: "NAME.get.yaml, NAME.post.yaml, NAME.rpc.yaml and so on")
        var members: [(String, JSONValue)] = [("allOf", [schema.reference(to: file)])]
        if let pages, let page = words?.page {
            members = [
                ("if", ["required": [.string(pages.mark)]]), ("then", schema.reference(to: page)),
                ("else", schema.reference(to: file)),
            ]
        }
        page = schema.document(
            title: "NAME.page.yaml, NAME.page.json",
            "A page, or the answers to requests for it.",
            members
        )
        let list: JSONValue = ["type": "array", "items": schema.reference(to: mapping)]
        self.mapping = schema.document(
            title: "mappings/NAME.json",
            mapping.meaning,
            [
                ("if", ["required": ["mappings"]]),
                (
                    "then",
                    [
                        "properties": ["$schema": ["type": "string"], "mappings": list, "meta": [:]],
                        "additionalProperties": false,
                    ]
                ),
                ("else", schema.reference(to: mapping)),
            ]
        )
        data = schema.document(of: kinds[2], title: "data/NAME.yaml")
        crud = schema.document(of: kinds[3], title: "NAME.crud.yaml")
        apps = configuration.apps.map { ($0.kind, $0.schema) }
    }

    /// The kinds of objects in route files and mappings: those of whole files first.
    static func kinds(page: Role?) -> [Kind] {
        let pageKey = Key.optional("page", page.map { .object($0) } ?? .any, "The page, as clients get it.")
        let answer = StubWords.answer + [pageKey]
        let stub =
            StubWords.stub + [
                .optional("request", .object(.ownRequest), "The requests that are answered; without it, all."),
                .optional("response", .object(.ownAnswer), "The answer; its keys may also stand beside this one."),
            ]
        let mapping =
            StubWords.stub + [
                .optional("request", .object(.request), "The requests that are answered; without it, all."),
                .optional("response", .object(.answer), "The answer."),
            ]
        let options = ContentPattern.operators.flatMap { ContentPattern.options[$0] ?? [] }
        let operators = ContentPattern.operators + options.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
        return [
            Kind(
                "route file",
                as: [.routeFile],
                "The answers to requests for a path: one whose keys stand here, or several under responses.",
                keys: StubWords.keys(RouteFileForm.itemKeys + ["responses"] + RouteFileForm.answerKeys, stub + answer)
            ),
            Kind(
                "mapping",
                as: [.mapping],
                "A stub as WireMock has it: which requests are answered, and how.",
                keys: StubWords.keys(
                    Stub.keys + Stub.ignoredKeys.filter { $0 != "$schema" },
                    mapping + [.optional("insertionIndex", .any, "Nothing: WireMock writes it.")]
                )
            ),
            Kind(
                "data file",
                as: [.dataFile],
                "Data that routes change: rows, or a document.",
                groups: [.atMostOne(["rows", "value"])],
                keys: StubWords.keys(DataBucket.keys, StubWords.data)
            ),
            Kind(
                "crud file",
                as: [.crudFile],
                "REST routes for rows, at the file's path: those declared here, or those of a bucket.",
                keys: StubWords.keys(["bucket"] + DataBucket.keys, StubWords.data)
            ),
            Kind(
                "response",
                as: [.item],
                "One of several answers.",
                keys: StubWords.keys(RouteFileForm.itemKeys + RouteFileForm.answerKeys, stub + answer)
            ),
            Kind(
                "request",
                as: [.ownRequest],
                "The requests that are answered, of those for the file's path.",
                keys: StubWords.keys(RouteFileForm.requestKeys, StubWords.request)
            ),
            Kind("answer", as: [.ownAnswer], "The answer.", keys: StubWords.keys(RouteFileForm.answerKeys, answer)),
            Kind(
                "request",
                as: [.request],
                "The requests that are answered.",
                groups: [.atMostOne(RequestPattern.urlKeys)],
                keys: StubWords.keys(
                    ["method"] + RequestPattern.urlKeys + RequestPattern.matcherKeys,
                    StubWords.request
                )
            ),
            Kind(
                "response",
                as: [.answer],
                "The answer.",
                keys: StubWords.keys(StubAnswer.keys + StubAnswer.ignoredKeys, StubWords.answer)
            ),
            Kind(
                "matcher",
                as: [.matcher],
                "A condition on a value.",
                keys: StubWords.keys(operators, StubWords.matcher)
            ),
            Kind(
                "values",
                as: [.values],
                "A condition on the values of one name.",
                keys: StubWords.keys(operators + ["hasExactly", "includes"], StubWords.matcher)
            ),
            Kind(
                "part",
                as: [.part],
                "Conditions on a part of a form.",
                keys: StubWords.keys(MultipartPattern.keys, StubWords.part)
            ),
            Kind(
                "change",
                as: [.change],
                "A change of a bucket of data, before the answer.",
                groups: [.exactlyOne("insert", "update", "patch", "remove")],
                keys: StubWords.changes
            ),
            Kind("insert", as: [.insert], "A row that is added.", keys: StubWords.change(.insert)),
            Kind("update", as: [.update], "Rows, or a part, that are replaced.", keys: StubWords.change(.update)),
            Kind("remove", as: [.remove], "Rows, or a part, that are removed.", keys: StubWords.change(.remove)),
            Kind("limits", as: [.limits], "How much data may be.", keys: StubWords.limits),
            Kind("credentials", as: [.credentials], "A user and a password.", keys: StubWords.credentials),
            Kind("listener", as: [.hook], "What is done after the answer.", keys: StubWords.hook),
            Kind(
                "webhook",
                as: [.webhook],
                "A request that is sent after the answer.",
                keys: StubWords.keys(Webhook.keys, StubWords.webhook)
            ),
            Kind("distribution", as: [.distribution], "How long to wait.", keys: StubWords.distributions),
            Kind("dribble", as: [.dribble], "A body in pieces.", keys: StubWords.dribble),
        ]
    }
}
