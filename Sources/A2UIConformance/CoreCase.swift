import A2UI
import Backlot

/// A case of the suites of renderers and cores, with an `action`.
struct CoreCase {
    typealias Mismatch = ConformanceCases.Mismatch

    private let item: JSONValue
    private let version: ProtocolVersion
    /// The catalogs that the case names itself.
    private var given: [String: Catalog] = [:]
    private let isStrict: Bool
    private let file: (String) -> JSONValue?

    init(_ item: JSONValue, _ file: @escaping (String) -> JSONValue?) throws(Mismatch) {
        (self.item, self.file) = (item, file)
        let catalog = item["catalog"]
        let name = (item["protocolVersion"] ?? catalog?["protocolVersion"] ?? catalog?["version"])?.string ?? "0.9"
        guard let version = ProtocolVersion(loosely: name) else { throw .unsupported("version \(name)") }
        self.version = version
        isStrict = item["strictMode"]?.bool ?? false
        let paths = (item["catalogPaths"]?.array ?? []).compactMap(\.string)
        for path in paths {
            if path.contains("basic/") {
                let basic = path.contains("v0_9") ? Catalog.basic0_9 : .basic1_0
                given[basic.id] = basic
            } else {
                guard let json = file(path) else { throw Mismatch("the catalog \(path) isn't there") }
                try add(json)
            }
        }
        let inline = [catalog?["catalogSchema"] ?? catalog].compactMap { $0 }.filter { $0["catalogId"] != nil }
        for json in (item["catalogs"]?.array ?? []) + inline { try add(json) }
    }

    private mutating func add(_ json: JSONValue) throws(Mismatch) {
        do throws(A2UIError) {
            let catalog = try Catalog(json, version: version)
            given[catalog.id] = catalog
        } catch {
            throw Mismatch("\(error)")
        }
    }

    private var basic: Catalog { version.isOne ? .basic1_0 : .basic0_9 }

    /// The catalogs with those that stand for the basic one. Unknown ids do so too, unless the case is about unknown ids.
    private var catalogs: [String: Catalog] {
        var catalogs = Catalog.basics.merging(given) { $1 }
        let names: Set = ["basic", "standard", "test-catalog", "test-catalog-v10"]
        let isAboutCatalogs = item.description.contains("\"CatalogError\"")
        func add(_ value: JSONValue, _ inherited: Catalog) {
            let one = value["version"]?.string.flatMap(ProtocolVersion.init(rawValue:))?.isOne
            let basic = one.map { $0 ? Catalog.basic1_0 : .basic0_9 } ?? inherited
            for element in value.array ?? [] { add(element, basic) }
            for member in value.object?.members ?? [] {
                if member.key == "catalogId", let id = member.value.string, catalogs[id] == nil,
                    !isAboutCatalogs || names.contains(id)
                {
                    catalogs[id] = basic
                }
                add(member.value, basic)
            }
        }
        for key in ["messages", "steps", "payload"] { item[key].map { add($0, basic) } }
        for name in names where catalogs[name] == nil { catalogs[name] = basic }
        return catalogs
    }

    func run() throws(Mismatch) {
        switch item["action"]?.string ?? "" {
        case "process_messages": try process(isStrict ? .strict : .lenient)
        case "validate": try process(isStrict ? .strict : .schema)
        case "data_model": try dataModel()
        case "resolve_path":
            let path = DataPath(argument("path"), in: DataPath(argument("contextPath")))
            try Mismatch.check(.string(path.description), is: item["expect"] ?? .null, "the path")
        case "parse_expression_template": try expressions()
        case "evaluate_function": try function()
        case "dispatch_action": try action()
        case "handle_rpc": try call()
        case "select_catalog": try selection()
        case "get_renderer_capabilities":
            let version = ProtocolVersion(rawValue: argument("version")) ?? version
            let isInline = item["args"]?["includeInlineCatalogs"]?.bool ?? false
            let capabilities = Processor(catalogs: given).capabilities(version, isInline: isInline)
            try Mismatch.check(capabilities, is: item["expect"] ?? .null, "the capabilities")
        case "get_renderer_data_model":
            var processor = Processor(catalogs: catalogs)
            for step in item["steps"]?.array ?? [item] {
                if let error = processor.apply(step["messages"] ?? []).first { throw Mismatch("\(error)") }
            }
            let version = ProtocolVersion(rawValue: argument("version")) ?? version
            try Mismatch.check(processor.dataModels(version), is: item["expect"] ?? .null, "the models")
        case "accessibility_check": try accessibility()
        case "resolve_nodes":
            var run = try NodeCase(item, file)
            try run.run()
        case "validate_common_type":
            for step in item["steps"]?.array ?? [item] {
                let type = item["definition"]?.string ?? ""
                let mistakes = basic.mistakes(in: step["value"] ?? .null, as: "type:\(type)")
                try check(mistakes.isEmpty ? [] : [A2UIError(.validation, mistakes)], step)
            }
        case let action: throw .unsupported("action \(action)")
        }
    }

    private func argument(_ name: String) -> String { item["args"]?[name]?.string ?? "" }

    private func check(_ errors: [A2UIError], _ step: JSONValue) throws(Mismatch) {
        if let expected = step["expectError"] ?? step["expect_error"] {
            try Mismatch.check(errors, against: expected)
        } else if let error = errors.first {
            throw Mismatch("\(error)")
        }
    }

    private func process(_ strictness: Processor.Strictness) throws(Mismatch) {
        var processor = Processor(catalogs: catalogs, strictness: strictness)
        var errors: [A2UIError] = []
        for step in item["steps"]?.array ?? [item] {
            let new = processor.apply(step["messages"] ?? step["payload"] ?? [])
            if step["expectError"] != nil || item["expectError"] == nil { try check(new, step) } else { errors += new }
            if let expected = step["expect"] { try check(processor, expected) }
        }
        if item["expectError"] != nil, item["steps"] != nil { try check(errors, item) }
        if let expected = item["expect"], item["steps"] != nil { try check(processor, expected) }
        if let expected = item["expectDispatchedErrors"] { try check(processor.outbox, expected) }
    }

    private func check(_ outbox: [ClientMessage], _ expected: JSONValue) throws(Mismatch) {
        let reports = outbox.compactMap { $0.json["error"] }
        guard reports.count == expected.array?.count else {
            throw Mismatch("\(reports.count) reports, but \(expected)")
        }
        for (report, expected) in zip(reports, expected.array ?? []) {
            try Mismatch.check(report, has: expected, "a report")
        }
    }

    private func check(_ processor: Processor, _ expected: JSONValue) throws(Mismatch) {
        for member in expected["surfaces"]?.object?.members ?? [] {
            let (id, expected) = (member.key, member.value)
            guard let surface = processor.surfaces[id] else {
                guard expected["exists"] == false else { throw Mismatch("the surface \(id) isn't there") }
                continue
            }
            guard expected["exists"] != false else { throw Mismatch("the surface \(id) is there") }
            let creation = surface.creation
            let state: [String: JSONValue?] = [
                "sendDataModel": .bool(creation.sendsDataModel), "theme": creation.theme.map(JSONValue.object),
                "catalogId": creation.catalogID.map(JSONValue.string), "dataModel": surface.model.value,
            ]
            for (key, value) in state.sorted(by: { $0.key < $1.key }) {
                if let expected = expected[key] { try Mismatch.check(value, is: expected, key) }
            }
            guard let nodes = processor.nodes(of: id) else { continue }
            var components: [(String, JSONValue)] = (expected["components"]?.object?.members ?? []).map {
                ($0.key, $0.value)
            }
            for component in expected["components"]?.array ?? [] {
                components.append((component["id"]?.string ?? "", component))
            }
            for (id, expected) in components { try check(id, expected, nodes, surface) }
            for member in expected["validationResult"]?.object?.members ?? [] {
                guard let node = nodes.nodes.values.first(where: { $0.componentID == member.key }) else {
                    throw Mismatch("\(member.key) isn't there")
                }
                let failure = processor.failures(of: node, on: surface.id).first
                var result: JSONObject = ["valid": .bool(failure == nil)]
                result["code"] = failure?.code.map(JSONValue.string)
                result["message"] = failure?.message.map(JSONValue.string)
                result["severity"] = failure.map { .string($0.severity) }
                try Mismatch.check(.object(result), has: member.value, "the result of \(member.key)")
            }
        }
    }

    /// A component, or with `_1` the second node of one. A value is right as the server sent it, and as a client shows it.
    private func check(_ id: String, _ expected: JSONValue, _ nodes: NodeTree, _ surface: Surface) throws(Mismatch) {
        var (name, index) = (id, 0)
        if surface.components[id] == nil, let mark = id.lastIndex(of: "_"),
            let number = Int(id[id.index(after: mark)...])
        {
            (name, index) = (String(id[..<mark]), number)
        }
        guard let component = surface.components[name] else { throw Mismatch("the component \(id) isn't there") }
        let places = nodes.order.compactMap { nodes.nodes[$0] }.filter { $0.componentID == name }
        for member in expected.object?.members ?? [] where component.properties[member.key] != member.value {
            guard index < places.count, case .value(let value?, _)? = places[index].properties[member.key] else {
                throw Mismatch(
                    "\(id) \(member.key) is \(component.properties[member.key] ?? .null), but \(member.value)"
                )
            }
            let shown = member.value.string != nil && value.number != nil ? .string(Evaluator.text(of: value)) : value
            try Mismatch.check(shown, is: member.value, "\(id) \(member.key)")
        }
    }

    private func dataModel() throws(Mismatch) {
        var model = DataModel(item["initial"] ?? [:])
        let watched = (item["watch"]?.array ?? []).compactMap(\.string)
        var isOpen = true
        for step in item["steps"]?.array ?? [] {
            let path = DataPath(step["path"]?.string ?? "")
            var (errors, notified): ([A2UIError], [String]) = ([], [])
            switch step["op"]?.string {
            case "set", "delete":
                do throws(A2UIError) {
                    try model.set(step["op"] == "set" ? step["value"] : nil, at: path)
                    if isOpen { notified = watched.filter { DataPath($0).touches(path) } }
                } catch {
                    errors = [error]
                }
            case "get":
                if let expected = step["expect"] { try Mismatch.check(model[path], is: expected, path.description) }
            case "dispose": isOpen = false
            case let operation: throw .unsupported("op \(operation ?? "")")
            }
            try check(errors, step)
            if step["expect_absent"] == true, let value = model[path] { throw Mismatch("\(path) is \(value)") }
            if let type = step["expect_type"]?.string {
                let names: [(Bool, String)] = [
                    (model[path]?.object != nil, "object"), (model[path]?.array != nil, "list"),
                    (model[path]?.string != nil, "string"), (model[path]?.number != nil, "number"),
                    (model[path]?.bool != nil, "boolean"),
                ]
                guard names.contains(where: { $0.0 && $0.1 == type }) else {
                    throw Mismatch("\(path) isn't of type \(type)")
                }
            }
            for member in step["expect_values"]?.object?.members ?? [] {
                try Mismatch.check(model[DataPath(member.key)], is: member.value, member.key)
            }
            if let expected = step["expect_notified"]?.array?.compactMap(\.string), Set(expected) != Set(notified) {
                throw Mismatch("\(notified) are told, but \(expected)")
            }
        }
    }

    private func expressions() throws(Mismatch) {
        var errors: [A2UIError] = []
        var parts: [JSONValue] = []
        do throws(A2UIError) {
            parts = try Expression.parts(of: item["input"]?.string ?? "").map(\.json)
        } catch {
            errors = [error]
        }
        try check(errors, item)
        if let expected = item["expect"]?.array {
            try Mismatch.check(.array(Self.joined(parts)), is: .array(Self.joined(expected)), "the template")
        }
    }

    /// Texts that follow each other count as one, and an empty one as nothing.
    private static func joined(_ parts: [JSONValue]) -> [JSONValue] {
        parts.reduce(into: []) { joined, part in
            guard let text = part.string, let last = joined.last?.string else { return joined.append(part) }
            joined[joined.count - 1] = .string(last + text)
        }.filter { $0 != "" }
    }

    private func function() throws(Mismatch) {
        let surface = item["surface"]
        let id = surface == nil ? basic.id : surface?["catalogId"]?.string
        var evaluator = Evaluator(DataModel(item["dataModel"] ?? [:]), scope(id))
        var (errors, value): ([A2UIError], JSONValue?) = ([], nil)
        do throws(A2UIError) {
            let catalog = item["catalogId"]?.string
            value = try evaluator.call(item["function"]?.string ?? "", item["args"]?.object ?? [:], catalog: catalog)
        } catch {
            errors = [error]
        }
        try check(errors, item)
        if let expected = item["expect"] { try Mismatch.check(value, has: expected, "the value") }
    }

    private func scope(_ id: String?) -> CatalogScope {
        CatalogScope(catalogs: catalogs, defaultID: id, version: version)
    }

    private func action() throws(Mismatch) {
        let surface = Surface("main", version, ServerMessage.Creation(catalogID: basic.id))
        var place = surface
        place.model = DataModel(item["dataModel"] ?? item["data"] ?? [:])
        let path = DataPath((item["contextPath"] ?? item["scope"])?.string ?? "/")
        let tap = Processor.tap(
            item["actionPayload"] ?? .null,
            of: "root",
            on: place,
            in: scope(basic.id),
            scope: DataScope(path: path),
            at: "2026-01-01T00:00:00Z"
        )
        if let expected = item["expectDispatched"] {
            try Mismatch.check(tap?.message?.json["action"], has: expected, "the action")
        }
        let reports = (tap?.errors ?? []).compactMap { ClientMessage($0, version) }
        try check(reports, item["expectDispatchedErrors"] ?? [])
    }

    /// Functions of these cases have only metadata: one that may be called gives the expected value.
    private func call() throws(Mismatch) {
        let arguments = item["args"]
        let response = item["expect"]?["response"]
        let value = response?["rendererFunctionResponse"]?["value"] ?? .null
        let functions = (arguments?["functionMetadata"]?.object?.members ?? []).map { member in
            var function = Function(member.key, "", returns: .any, parameters: []) { _, _ in value }
            function.callers = member.value["allowedCallers"]?.string.flatMap(Function.Callers.init) ?? .rendererOnly
            function.requiresUserActivation = member.value["requiresUserActivation"]?.bool ?? false
            return function
        }
        var processor = Processor(catalogs: [:])
        for name in ["basic", "media_catalog", "store_catalog"] {
            let json: JSONValue = ["catalogId": .string(name), "protocolVersion": "1.0"]
            processor.catalogs[name] = try? Catalog(json, version: version, functions: functions)
        }
        if let outbound = arguments?["outboundCall"] {
            let id = outbound["functionCallId"]?.string ?? ""
            processor.callAgent(
                RemoteCall(
                    id: id,
                    surfaceID: outbound["surfaceId"]?.string,
                    function: outbound["callFunction"]?["@call"]?.string ?? "",
                    catalogID: outbound["callFunction"]?["catalogId"]?.string,
                    arguments: outbound["callFunction"]?["args"]?.object ?? [:]
                ),
                version
            )
            try check(processor.apply(arguments?["inboundResponse"] ?? []), item)
            try Mismatch.check(
                processor.results[id]?.json["value"].map { $0 },
                is: item["expect"]?["result"] ?? .null,
                "the result"
            )
            return
        }
        guard let json = arguments?["message"] else { throw .unsupported("a call without a message") }
        var outgoing: JSONValue?
        do throws(A2UIError) {
            let message = try ServerMessage(json)
            if case .callRendererFunction(let call) = message.content {
                let isActive = arguments?["userActivationPresent"]?.bool ?? false
                let response = processor.respond(to: call, message.version, isUserActive: isActive)
                outgoing = ClientMessage(message.version, .rendererFunctionResponse(response)).json
            } else {
                try processor.apply(message)
            }
        } catch {
            return try check([error], item)
        }
        guard
            outgoing?["rendererFunctionResponse"]?["error"] == nil
                || response?["rendererFunctionResponse"]?["error"] != nil
        else {
            throw Mismatch("\(outgoing ?? .null), but \(response ?? .null)")
        }
        if let response { try Mismatch.check(outgoing, has: response, "the response") }
    }

    private func selection() throws(Mismatch) {
        let arguments = item["args"]
        let surface = arguments?["surface"]
        var scope = scope(surface?["defaultCatalogId"]?.string)
        scope.catalogs = [:]
        for id in (surface?["supportedCatalogIds"]?.array ?? []).compactMap(\.string) {
            let named = arguments?["catalogs"]?[id]?["protocolVersion"]?.string.flatMap(ProtocolVersion.init(loosely:))
            scope.catalogs[id] = try? Catalog(["catalogId": .string(id)], version: named ?? version)
        }
        var selected: [String] = []
        do throws(A2UIError) {
            for id in scope.catalogs.keys.sorted() { _ = try scope.catalog(id) }
            let users =
                (arguments?["components"]?.object?.members ?? []).map(\.value)
                + [arguments?["functionCall"]].compactMap { $0 }
            for user in users {
                selected.append(try scope.catalog((user["catalogId"] ?? user["@catalogId"])?.string).id)
            }
        } catch {
            return try check([error], item)
        }
        try check([A2UIError](), item)
        if let expected = item["expectSelected"]?.string, !selected.contains(expected) {
            throw Mismatch("\(selected) instead of \(expected)")
        }
    }

    private func accessibility() throws(Mismatch) {
        var objects: [JSONObject] = []
        func add(_ id: String, _ value: JSONValue) {
            var object = value.object ?? [:]
            object["components"] = nil
            object["id"] = .string(id)
            objects.append(object)
            for member in value["components"]?.object?.members ?? [] { add(member.key, member.value) }
        }
        add("root", item["surface"] ?? .null)
        let surface = JSONValue.object([
            "surfaceId": "main", "catalogId": .string(basic.id), "components": .array(objects.map(JSONValue.object)),
        ])
        var processor = Processor()
        try check(processor.apply(["version": .string(version.rawValue), "createSurface": surface]), item)
        let nodes = processor.nodes(of: "main")
        for member in item["assertions"]?["accessibilityTree"]?.object?.members ?? [] {
            // A container that the catalog doesn't have still holds its parts.
            guard let component = processor.surfaces["main"]?.components[member.key], let nodes else {
                throw Mismatch("\(member.key) isn't there")
            }
            let found = nodes.nodes.values.first { $0.componentID == member.key }
            let accessible = found.map { AccessibleNode($0, in: nodes) } ?? AccessibleNode(component)
            var state: JSONObject = ["hidden": .bool(accessible.isHidden)]
            let texts = [
                ("role", accessible.role), ("label", accessible.label), ("description", accessible.description),
                ("live", accessible.live),
            ]
            for (key, text) in texts { state[key] = text.map(JSONValue.string) }
            state["checked"] = accessible.isChecked.map(JSONValue.bool)
            try Mismatch.check(.object(state), has: member.value, member.key)
        }
    }
}

extension Expression {
    /// The part as the suites write it.
    fileprivate var json: JSONValue {
        switch self {
        case .literal(let value): return value
        case .path(let path): return ["path": .string(path)]
        case .call(let name, let arguments):
            let values = arguments.reduce(into: JSONObject()) { $0[$1.key] = $1.value.json }
            return ["call": .string(name), "args": .object(values), "returnType": "any"]
        }
    }
}
