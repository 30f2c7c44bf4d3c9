import A2UI
package import Backlot

/// Runs published conformance cases against the processor, the rules, the functions and the expressions.
///
/// Three kinds of files count: lists of cases with an `action`, verdicts on single messages (`schema` and `tests`), and examples
/// with `messages`. Errors are compared by category, code and pointer; their words are ours.
package struct ConformanceCases {
    /// The outcome of a case.
    package enum Outcome: Equatable {
        case passed
        case failed(String)
        case unsupported(String)
    }

    /// A case with its outcome.
    package struct Result: Equatable {
        package let name: String
        package let outcome: Outcome
    }

    /// The differences from an expectation.
    struct Mismatch: Error {
        let text: String
        var isUnsupported = false
        init(_ text: String) { self.text = text }
    }

    /// Finds a file that a case names, such as a catalog, by its path.
    package let file: (String) -> JSONValue?

    /// Makes a run.
    package init(file: @escaping (String) -> JSONValue?) { self.file = file }

    /// The results of a file; empty for a file without cases.
    package func results(of document: JSONValue, name: String) -> [Result] {
        if let cases = document.array {
            return cases.filter { $0["action"]?.string != nil }.map { item in
                result(item["name"]?.string ?? name) { () throws(Mismatch) in try CoreCase(item, file).run() }
            }
        }
        if document["schema"] != nil, let tests = document["tests"]?.array {
            return tests.map { test in
                result("\(name): \(test["description"]?.string ?? "")") { () throws(Mismatch) in
                    try judge(test, document, isOne: !name.contains("v0_9"))
                }
            }
        }
        guard let messages = document["messages"] else { return [] }
        return [
            result(name) { () throws(Mismatch) in
                // Components that an update leaves without a parent stay, and don't count as orphans.
                var processor = Processor(strictness: .schema)
                if let error = processor.apply(messages).first { throw Mismatch("\(error)") }
                for id in processor.surfaces.keys.sorted() {
                    let nodes = processor.nodes(of: id)
                    guard nodes?.nodes["root"] != nil else { throw Mismatch("the surface \(id) has no root") }
                    if let missing = nodes?.nodes.values.first(where: { $0.component == nil }) {
                        throw Mismatch("the surface \(id) lacks \(missing.componentID)")
                    }
                }
            }
        ]
    }

    private func result(_ name: String, _ run: () throws(Mismatch) -> Void) -> Result {
        do throws(Mismatch) {
            try run()
            return Result(name: name, outcome: .passed)
        } catch {
            return Result(name: name, outcome: error.isUnsupported ? .unsupported(error.text) : .failed(error.text))
        }
    }

    /// A verdict on one message, or on each of a list.
    private func judge(_ test: JSONValue, _ document: JSONValue, isOne: Bool) throws(Mismatch) {
        let schema = document["schema"]?.string ?? ""
        let version = isOne ? ProtocolVersion.v1_0October : .v0_9
        var catalog = isOne ? Catalog.basic1_0 : .basic0_9
        if let path = document["catalog"]?.string {
            guard let json = file(path), let read = try? Catalog(json, version: version) else {
                throw Mismatch("the catalog \(path) can't be read")
            }
            catalog = read
        }
        let data = test["data"] ?? .null
        var mistake: A2UIError?
        do throws(A2UIError) {
            for message in schema.contains("_list") ? ServerMessage.list(data) : [data] {
                let scope = CatalogScope(catalogs: [:], version: version, only: catalog)
                let rules = ComponentRules(scope: scope, version: version, strictness: .schema)
                switch schema {
                case _ where schema.hasPrefix("server_to_client") || schema.hasPrefix("agent_to_renderer"):
                    try rules.check(try ServerMessage(message))
                case _ where schema.hasPrefix("client_to_server") || schema.hasPrefix("renderer_to_agent"):
                    if case .callAgentFunction(let call) = try ClientMessage(message).content {
                        try rules.checkCall(call.function, .object(call.call), at: "")
                    }
                case "catalog_definition.json": _ = try Catalog(message, version: version)
                default: throw A2UIError(.state, "", schema)
                }
            }
        } catch {
            mistake = error
        }
        if mistake?.category == .state { throw .unsupported("the schema \(schema)") }
        let isValid = test["valid"]?.bool ?? true
        guard (mistake == nil) == isValid else {
            throw Mismatch(mistake.map { "\($0)" } ?? "accepted, but it is wrong")
        }
    }
}

extension ConformanceCases.Mismatch {
    static func unsupported(_ text: String) -> Self {
        var mismatch = Self(text)
        mismatch.isUnsupported = true
        return mismatch
    }

    /// Compares what is named in an expectation: a list of errors, by category, code and pointers.
    static func check(_ errors: [A2UIError], against expected: JSONValue) throws(Self) {
        guard !errors.isEmpty else { throw Self("no error, but \(expected)") }
        guard expected.object != nil else {
            let words = [
                "circular": "circular_reference", "dangling": "dangling_reference", "self-reference": "self_reference",
                "missing root": "missing_root", "not reachable": "orphan",
            ]
            let text = expected.string?.lowercased() ?? ""
            guard let code = words.first(where: { text.contains($0.key) })?.value else { return }
            guard errors.contains(where: { $0.code == code }) else { throw Self("\(errors[0]), not \(text)") }
            return
        }
        let category = expected["category"]?.string
        let isRight = errors.contains { error in
            let isKind =
                switch error.category {
                case .integrity, .recursion: category == "ValidationError"
                case .parse: category == "ExpressionError"
                default: false
                }
            guard category == nil || error.category.rawValue == category || isKind else { return false }
            if let code = expected["code"]?.string, code != error.code, code != error.wireCode { return false }
            return (expected["details"]?.array ?? []).allSatisfy { detail in
                error.details.contains {
                    $0.code == detail["code"]?.string
                        && $0.path.dropFirst().replacing("/", with: ".") == detail["path"]?.string ?? ""
                }
            }
        }
        guard isRight else { throw Self("\(errors[0]), but \(expected)") }
    }

    static func check(_ value: JSONValue?, is expected: JSONValue, _ what: String) throws(Self) {
        guard (value ?? .null) == expected else { throw Self("\(what) is \(value ?? .null), but \(expected)") }
    }

    /// The members that an expectation names. Messages are in our own words.
    static func check(_ value: JSONValue?, has expected: JSONValue, _ what: String) throws(Self) {
        guard let object = expected.object, value?.object != nil else { return try check(value, is: expected, what) }
        for member in object.members {
            if member.key == "message", value?["message"]?.string != nil { continue }
            try check(value?[member.key], has: member.value, "\(what) \(member.key)")
        }
    }
}
