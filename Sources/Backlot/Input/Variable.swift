#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The variables that a client has sent: one for each input on its page.
///
/// The text of a text field converts to the requested type: a number, a `Decimal`, a date (`2026-12-31`, or with a time in ISO
/// 8601), an enumeration. A text that can't be converted leads to 422, with advice for the user.
///
/// Applin's clients since 0.34 send `topics#a` as `{"topics":{"a":…}}` and `topics%a` as `{"topics":["a"]}`; earlier ones send both
/// names unchanged. Either way you find them under the full name (`Variable<Bool>("topics#a")`) and under the short one
/// (`Variable<[String: Bool]>("topics")`). Clients since 0.34 send `topics%a` whether its box is checked or not.
public struct Variables: Sendable {
    /// All variables, as the client sent them.
    public let object: JSONObject
    /// Whether they refresh a page. Then a text or a box that is missing or of another type is unset: empty, or off.
    let isRefresh: Bool

    /// Variables from an object.
    public init(_ object: JSONObject) { self.init(object, isRefresh: false) }

    init(_ object: JSONObject, isRefresh: Bool) { (self.object, self.isRefresh) = (object, isRefresh) }

    var form: InputForm { isRefresh ? .page : .json }

    /// The value of a variable.
    ///
    /// - Throws: `VariableError`, which leads to 400, if it is missing or of another type.
    public subscript<Value>(variable: Variable<Value>) -> Value {
        get throws { try value(variable.name) }
    }

    /// The value of the variable with that name. An optional is nil if the variable is missing or null, and also if its field was
    /// left empty, unless a text is requested: `try await request.variables().value("q") ?? ""`.
    ///
    /// - Throws: `VariableError`, which leads to 400, if it is missing or of another type.
    public func value<Value: Decodable & Sendable>(_ name: String, as type: Value.Type = Value.self) throws -> Value {
        let value = object[name] ?? VariableNames.value(name, in: object)
        if let optional = type as? any OptionalType.Type,
            value?.isNull ?? true || value == "" && optional.wrapped != String.self,
            let none = optional.none as? Value
        {
            return none
        }
        do {
            guard let value else { throw VariableError(name: name, problem: .missing(expected: describe(type))) }
            return try VariableDecoding.decode(type, from: value, at: [name], form)
        } catch {
            if let unset = form.unset(type) { return unset }
            throw error
        }
    }

    /// All variables as one value. Variables without a property are ignored.
    ///
    /// For `name#key` and `name%item`, declare `[String: String]` and `[String]`. An empty text is nil for an optional number, date
    /// or the like.
    ///
    /// - Throws: `VariableError`, which leads to 400 if a variable is missing or of another type, and to 422 if a text of the user
    ///   can't be converted.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        try VariableDecoding.decode(type, from: .object(VariableNames.both(object)), at: [], form)
    }
}

/// A variable of a form: a name and a type. You write it once and use it for the input and in the handler.
///
/// ```swift
/// let username = Variable<String>("username")
///
/// textfield("Username", username)                              // in a page
/// let name = try await request.variables()[username]           // in a handler: 400 names the variable if it is missing
/// ```
public struct Variable<Value: Decodable & Sendable>: Sendable {
    /// The name that clients send.
    public let name: String

    /// Creates a variable of that name.
    public init(_ name: String) { self.name = name }
}

/// The error for a variable that is missing or wrong. It is 400, because the user can't correct that. A text that can't be
/// converted to the requested type is 422, with a text for the user.
public struct VariableError: HTTPError, Equatable {
    /// The problem.
    public enum Reason: Equatable, Sendable {
        /// The variable was not sent.
        case missing(expected: String)
        /// The client sent another type.
        case wrongType(expected: String, received: String)
        /// The variable has the right type, but an invalid value.
        case invalid(String)
        /// The user's text can't be converted: `must be a whole number`.
        case input(String)
    }

    /// The variable's name, followed by keys and indices, with dots between them.
    public let name: String
    /// The problem.
    public let problem: Reason

    /// 400, or 422 for an input error of the user.
    public var status: HTTPResponse.Status {
        if case .input = problem { .unprocessableContent } else { .badRequest }
    }

    /// The problem in one line, for the client's developer or for the user.
    public var reason: String {
        switch problem {
        case .input(let text): "Please correct '\(name)': it \(text)."
        case .missing(let expected): "the variable '\(name)' is missing: expected \(expected)"
        case .wrongType(let expected, let received): "the variable '\(name)' is \(received): expected \(expected)"
        case .invalid(let text): "the variable '\(name)' can't be used: \(text)"
        }
    }
}

extension Request {
    /// Reads the client's variables from the body, a JSON object. A GET has no variables.
    ///
    /// If the request refreshes a page, a text or a box that is missing or of another type is unset: the client may still show the
    /// page of an earlier version of the app.
    ///
    /// ```swift
    /// app.rpc("/save") { request in
    ///     let name = try await request.variables().value("name", as: String.self)
    ///     try await users.add(name)
    /// }
    /// ```
    /// - Throws: `StatusError` with 400 if the body isn't a JSON object, is nested deeper than 64 levels, or isn't UTF-8;
    ///   `RequestError` if it is too large, late or cut short.
    public func variables() async throws -> Variables {
        if method == .get || method == .head { return Variables([:], isRefresh: refreshesPage) }
        let value = try await json()
        guard let object = value.object else {
            throw StatusError(.badRequest, "the body is not a JSON object: variables are sent as {\"name\": value}")
        }
        return Variables(object, isRefresh: refreshesPage)
    }

    /// Reads the client's variables as one value.
    ///
    /// ```swift
    /// app.rpc("/save") { request in try await users.add(request.variables(as: User.self).name) }
    /// ```
    /// - Throws: the errors of `variables()`, and `VariableError` with 400 and the name of the variable that is missing or of
    ///   another type.
    public func variables<Value: Decodable>(as type: Value.Type) async throws -> Value {
        try await variables().decode(type)
    }
}

private enum RefreshAttribute: RequestAttribute { typealias Value = Bool }

extension Request {
    /// Whether the request refreshes a page with the page's variables.
    package var refreshesPage: Bool {
        get { attributes[RefreshAttribute.self] ?? false }
        set { attributes[RefreshAttribute.self] = newValue }
    }

    /// Reads the body as JSON and ignores its `Content-Type`, because real clients of the protocols often get it wrong.
    ///
    /// - Throws: `StatusError` with 400 and the position of the syntax error; `RequestError` if the body is too large, late or cut
    ///   short.
    public func json() async throws -> JSONValue {
        let bytes = try await body.collect()
        do {
            guard bytes.count > Self.largeJSON else { return try JSONValue(parsing: bytes.span) }
            return try await Blocking.compute { try JSONValue(parsing: bytes.span) }
        } catch let error as JSONParseError {
            throw StatusError(.badRequest, "the body is not JSON: \(error)")
        }
    }

    /// Larger bodies aren't parsed on an event loop.
    private static let largeJSON = 256 * 1024
}

/// The two forms of variables with `#` and `%` in their names: nested since Applin's client 0.34, flat before.
enum VariableNames {
    /// The value of a variable that arrived in the other form; nil if it didn't arrive.
    static func value(_ name: String, in object: JSONObject) -> JSONValue? {
        switch VariableName(name) {
        case .plain: return collected(object).first { $0.key == name }?.value
        case .entry(let key, let entry): return object[key]?[entry]
        case .item(let key, let item): return (object[key]?.array).map { .bool($0.contains(.string(item))) }
        case nil: return nil
        }
    }

    /// The variables under all names that handlers may use.
    static func both(_ object: JSONObject) -> JSONObject {
        var both = object
        var names = Set(object.members.map(\.key))
        for (key, value) in collected(object) where names.insert(key).inserted { both.append(key, value) }
        // Each name repeats the key: a long key with many entries would take their product.
        for member in object.members where VariableName(member.key) == .plain && member.key.utf8.count <= 128 {
            for entry in member.value.object?.members ?? [] {
                let name = "\(member.key)#\(entry.key)"
                if names.insert(name).inserted { both.append(name, entry.value) }
            }
            for item in member.value.array ?? [] {
                guard let item = item.string else { continue }
                let name = "\(member.key)%\(item)"
                if names.insert(name).inserted { both.append(name, true) }
            }
        }
        return both
    }

    /// The objects and arrays that newer clients would have made from the variables, in the order of their first members.
    private static func collected(_ object: JSONObject) -> [(key: String, value: JSONValue)] {
        var keys: [String] = []
        var entries: [String: [(String, JSONValue)]] = [:]
        var items: [String: [JSONValue]] = [:]
        for member in object.members {
            switch VariableName(member.key) {
            case .entry(let key, let entry):
                if entries[key] == nil, items[key] == nil { keys.append(key) }
                entries[key, default: []].append((entry, member.value))
            case .item(let key, let item):
                if entries[key] == nil, items[key] == nil { keys.append(key) }
                let isChosen = member.value != false && member.value != ""
                items[key, default: []] += isChosen ? [.string(item)] : []
            case .plain, nil: continue
            }
        }
        return keys.map { key in
            (key, entries[key].map { .object(JSONObject(pairs: $0)) } ?? .array(items[key] ?? []))
        }
    }
}

/// A variable's name as clients since 0.34 read it. They split it at each `%`, or else at each `#`, drop empty parts, and use two.
package enum VariableName: Hashable {
    case plain
    /// The value goes into an object: `address#city`.
    case entry(key: String, String)
    /// The second part goes into an array: `color%red`.
    case item(key: String, String)

    /// nil for a name with fewer than two parts, which clients can't send.
    package init?(_ name: String) {
        guard let mark: Character = ["%", "#"].first(where: { name.contains($0) }) else {
            self = .plain
            return
        }
        let parts = name.split(separator: mark).map(String.init)
        guard parts.count > 1 else { return nil }
        self = mark == "%" ? .item(key: parts[0], parts[1]) : .entry(key: parts[0], parts[1])
    }
}

/// Converts JSON to Swift values, with errors that name the variable, the expected type and the received one.
enum VariableDecoding {
    static func decode<Value: Decodable>(
        _ type: Value.Type,
        from value: JSONValue,
        at path: [String],
        _ form: InputForm
    ) throws -> Value {
        do {
            return try InputDecoder(value: value, codingPath: [], form: form).decode(type)
        } catch let error as DecodingError {
            throw variableError(error, in: value, at: path)
        }
    }

    static func variableError(_ error: DecodingError, in value: JSONValue, at path: [String]) -> VariableError {
        switch error {
        case .keyNotFound(let key, let context):
            let place = names(context.codingPath) + [key.stringValue]
            return VariableError(name: name(path + place), problem: .missing(expected: context.debugDescription))
        case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
            let place = names(context.codingPath)
            let found = find(place, in: value)
            if case .typeMismatch = error, found?.string != nil, isConverted(type) {
                return VariableError(name: name(path + place), problem: .input(context.debugDescription))
            }
            return VariableError(
                name: name(path + place),
                problem: .wrongType(expected: describe(type), received: found?.typeText ?? "something else")
            )
        case .dataCorrupted(let context):
            let place = names(context.codingPath)
            if find(place, in: value)?.string != nil {
                return VariableError(name: name(path + place), problem: .input("is not right"))
            }
            return VariableError(name: name(path + place), problem: .invalid(context.debugDescription))
        @unknown default:
            return VariableError(name: name(path), problem: .invalid("\(error)"))
        }
    }

    /// Whether a text of the user can become a value of a type.
    private static func isConverted(_ type: any Any.Type) -> Bool {
        !(type is Bool.Type || type is any ArrayType.Type || type is any DictionaryType.Type || type == JSONObject.self)
    }

    private static func names(_ path: [any CodingKey]) -> [String] {
        path.map { $0.intValue.map(String.init) ?? $0.stringValue }
    }

    private static func name(_ path: [String]) -> String { path.joined(separator: ".") }

    private static func find(_ path: [String], in value: JSONValue) -> JSONValue? {
        var found: JSONValue? = value
        for step in path { found = found?[step] ?? Int(step).flatMap { found?[$0] } }
        return found
    }
}

/// A Swift type in the words of JSON.
func describe(_ type: any Any.Type) -> String {
    switch type {
    case is String.Type: "a string"
    case is Bool.Type: "a boolean"
    case is any BinaryInteger.Type: "a whole number"
    case is any BinaryFloatingPoint.Type, is Decimal.Type: "a number"
    case is any ArrayType.Type: "an array"
    case is any DictionaryType.Type, is JSONObject.Type: "an object"
    case is Date.Type: "a date, such as \"2026-12-31\" or \"2026-12-31T10:00:00Z\""
    default: "\(type)"
    }
}
