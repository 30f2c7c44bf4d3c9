public import Backlot

/// The keys of files below `Routes/`, and of commands about mocks: each is declared once, beside the code that reads it.
public enum MockVocabulary {
    /// The JSON Schema of files of one kind, for editors.
    ///
    /// - Parameters:
    ///   - files: `page` for `NAME.page.yaml`, `route` for any other route in YAML, `mapping` for files in `mappings`, `data` for
    ///     files in `data`, `crud` for `NAME.crud.yaml`, `settings` for `settings.yaml`; or the kind in the names of an app's files,
    ///     such as `method`.
    ///   - formats: the protocols of the pages and apps that the files may hold.
    /// - Returns: nil for an unknown kind.
    public static func schema(of files: String, formats: [FileFormat]) -> JSONValue? {
        let configuration = MockConfiguration(formats: formats)
        let pages = configuration.pages
        let words = pages?.words
        let kinds = kinds(page: words?.page)
        let vocabulary = vocabulary(kinds + (words?.vocabulary.kinds ?? []), like: words?.vocabulary)
        let pageKinds = words.map { $0.vocabulary.kinds(as: $0.page) } ?? []
        let own = kinds.flatMap(\.roles)
        let schema = VocabularySchema(vocabulary, roots: Array(kinds[0...4]) + pageKinds) { !own.contains($0) }
        let (file, mapping) = (kinds[0], kinds[1])
        switch files {
        case "page":
            var members: [(String, JSONValue)] = [("allOf", [schema.reference(to: file)])]
            if let pages, let page = words?.page {
                members = [
                    ("if", ["required": [.string(pages.mark)]]), ("then", schema.reference(to: page)),
                    ("else", schema.reference(to: file)),
                ]
            }
            let meaning = "A page, or the responses to requests for it."
            return schema.document(title: "NAME.page.yaml, NAME.page.json", meaning, members)
        case "route":
            return schema.document(
                of: file,
                title: "NAME.get.yaml, NAME.post.yaml, NAME.rpc.yaml, NAME.sse.yaml, NAME.ws.yaml and so on"
            )
        case "mapping":
            let one = schema.reference(to: mapping)
            let list: JSONValue = [
                "properties": [
                    "$schema": ["type": "string"], "mappings": ["type": "array", "items": one], "meta": [:],
                ],
                "additionalProperties": false,
            ]
            let members: [(String, JSONValue)] = [("if", ["required": ["mappings"]]), ("then", list), ("else", one)]
            return schema.document(title: "mappings/NAME.json", mapping.meaning, members)
        case "data": return schema.document(of: kinds[2], title: "data/NAME.yaml")
        case "crud": return schema.document(of: kinds[3], title: "NAME.crud.yaml")
        case "settings": return schema.document(of: kinds[4], title: "settings.yaml")
        default: return configuration.apps.first { $0.kind == files }?.withState.schema
        }
    }

    /// The kinds of objects in files: the kinds of whole files come first.
    ///
    /// - Parameter page: the role of pages in the protocol of pages; nil for mocks without one.
    package static func kinds(page: Role? = nil) -> [Kind] {
        let page = Key.optional("page", page.map { .object($0) } ?? .any, "The page, as clients get it.")
        let response = [page] + StubResponse.ownKeys
        let item = RouteFileForm.keys + response
        let (body, misnomers) = ([StubResponse.oneBody], StubResponse.misnomers)
        let file = "The responses to requests for a path: the keys of one, or several under responses."
        let own = [
            Kind(
                "route file",
                as: [.routeFile],
                file,
                misnomers: misnomers,
                groups: body,
                keys: item + [RouteFileForm.responses]
            ),
            Stub.kind, DataBucket.fileKind, DataBucket.crudKind, SettingsFile.kind,
            Kind("response", as: [.item], "One of several answers.", misnomers: misnomers, groups: body, keys: item),
            Kind("answer", as: [.ownResponse], "The answer.", misnomers: misnomers, groups: body, keys: response),
            StubResponse.kind,
        ]
        return own + RequestPattern.kinds + DataChange.kinds + Webhook.kinds + ResponseDelay.kinds
            + StreamScript.kinds
    }

    /// All kinds, including those of commands.
    static let all = vocabulary(kinds() + [AppContents.kind] + MockAdmin.kinds, like: nil)
    static let conditions = RequestPattern.conditionRoles

    private static func vocabulary(_ kinds: [Kind], like pages: Vocabulary?) -> Vocabulary {
        Vocabulary(
            kinds,
            for: pages?.audiences ?? [Audience(dialect: "mocks", noun: "mocks", advice: "")],
            refusal: "refuse this",
            readers: "mocks",
            anywhere: pages?.anywhere ?? []
        )
    }
}

extension ValueType {
    /// A text, or a number or boolean instead: in YAML they are easily confused.
    static let scalar = ValueType.either([.string, .number, .bool])
    /// Header fields by their names: each with a value or a list.
    static let headers = ValueType.map(.either([.string, .number, .bool, .array(scalar)]))
    static let milliseconds = whole(0...ResponseDelay.longest)
    static let base64 = ValueType.text(
        TextForm("base64: letters, digits, + and /, with = at the end", example: "YQ==") { Base64.decode($0) != nil }
    )
    static let uuid = ValueType.text(
        TextForm("a UUID", example: "8c5db8b0-2db4-4ad7-a99f-38c9b00da3f7") { StubID($0) != nil }
    )
    /// A text that is allowed in the head of a message.
    static let headerText = ValueType.text(
        TextForm("a text without line breaks and control characters", example: "Found", HTTPField.isValidValue)
    )

    static func whole(_ range: ClosedRange<Int>) -> ValueType {
        .integer(Int64(range.lowerBound)...Int64(range.upperBound))
    }

    /// One of the words of a type.
    static func word<Word: RawRepresentable & CaseIterable>(of type: Word.Type) -> ValueType
    where Word.RawValue == String {
        words(type.allCases.map(\.rawValue))
    }

    static func words(_ words: [String]) -> ValueType {
        .oneOf(words.map { Name(text: $0) }, ifUnknown: .refusal)
    }
}

extension Role {
    static let mapping = Role("mapping")
    static let routeFile = Role("route file")
    static let item = Role("response")
    static let ownRequest = Role("request")
    static let request = Role("mapping request")
    static let ownResponse = Role("answer")
    static let response = Role("mapping response")
    static let matcher = Role("matcher")
    static let values = Role("value matcher")
    static let part = Role("part")
    static let credentials = Role("credentials")
    static let dataFile = Role("data file")
    static let settingsFile = Role("settings file")
    static let crudFile = Role("crud file")
    static let limits = Role("limits")
    static let change = Role("change")
    static let insert = Role("insert")
    static let update = Role("update")
    static let remove = Role("remove")
    static let hook = Role("listener")
    static let webhook = Role("webhook")
    static let distribution = Role("distribution", .key("type"), example: "uniform")
    static let dribble = Role("dribble")
    static let streamStep = Role("stream step")
    static let reaction = Role("state")
}
