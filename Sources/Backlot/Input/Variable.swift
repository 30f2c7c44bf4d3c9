#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The variables that a client has sent: one for each input of its page.
///
/// The text of a text field becomes whatever is asked for: a number, a `Decimal`, a date (`2026-12-31`, or with a time in ISO 8601), an
/// enumeration. A text that can't be converted is answered with 422, which tells the user what to write.
///
/// Applin's clients since 0.34 send `topics#a` as `{"topics":{"a":…}}` and `topics%a` as `{"topics":["a"]}`, earlier ones both as they
/// stand. Either way they are found under the full name (`Variable<Bool>("topics#a")`) and under the short one
/// (`Variable<[String: Bool]>("topics")`). Clients since 0.34 send `topics%a` whether its box is checked or not.
public struct Variables: Sendable {
    /// All of them, as they came.
    public let object: JSONObject
    /// Whether they refresh a page, so that a text or a box that is missing or of another type is unset: empty, or off.
    let isRefresh: Bool

    /// Variables from an object.
    public init(_ object: JSONObject) { self.init(object, isRefresh: false) }

    init(_ object: JSONObject, isRefresh: Bool) { (self.object, self.isRefresh) = (object, isRefresh) }

    var form: InputForm { isRefresh ? .page : .json }

    /// The value of a variable.
    ///
    /// - Throws: `VariableError`, which is answered with 400, when it is missing or of another type.
    public subscript<Value>(variable: Variable<Value>) -> Value {
        get throws { try value(variable.name) }
    }

    /// The value of the variable with that name. As an optional, it is nil when it is missing or null, and, unless a text is requested, when
    /// its field was left empty: `try await request.variables().value("q") ?? ""`.
    ///
    /// - Throws: `VariableError`, which is answered with 400, when it is missing or of another type.
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

    /// All variables as one value; those that the type doesn't know are ignored.
    ///
    /// For `name#key` and `name%item`, declare `[String: String]` and `[String]`. A text that is left empty is nil where the type
    /// has an optional number or the like.
    ///
    /// - Throws: `VariableError`, which is answered with 400 when one is missing or of another type, and with 422 when the user
    ///   has typed what can't be converted.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        try VariableDecoding.decode(type, from: .object(VariableNames.both(object)), at: [], form)
    }
}

/// A variable of a form: a name and a type, written once and used both by an input and by the handler that reads it.
///
/// ```swift
/// let username = Variable<String>("username")
///
/// textfield("Username", username)                              // in a page
/// let name = try await request.variables()[username]           // in a handler: 400 names the variable if it is missing
/// ```
public struct Variable<Value: Decodable & Sendable>: Sendable {
    /// The name under which clients send it.
    public let name: String

    /// A variable of that name.
    public init(_ name: String) { self.name = name }
}

/// A variable that a client has sent wrongly, or not at all: 400, since its user can't mend that. Or a text that can't be converted to
/// what is asked for: 422, with a text for the user.
public struct VariableError: HTTPError, Equatable {
    /// What is wrong with it.
    public enum Reason: Equatable, Sendable {
        /// It was not sent.
        case missing(expected: String)
        /// It was sent as something else.
        case wrongType(expected: String, received: String)
        /// It has the right type and a value that can't be used.
        case invalid(String)
        /// The user has typed something else than what is asked for: `must be a whole number`.
        case input(String)
    }

    /// The variable; below it, keys and indices are joined with dots.
    public let name: String
    /// What is wrong with it.
    public let problem: Reason

    /// 400, or 422 for what the user has typed.
    public var status: HTTPResponse.Status {
        if case .input = problem { .unprocessableContent } else { .badRequest }
    }

    /// What is wrong, in one line: for the client's developer, or for the user.
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
    /// Reads the variables that the client has sent: a JSON object. A GET sends none.
    ///
    /// Where a page is refreshed, a text or a box that wasn't sent, or as something else, is unset: the client may still show the page of a
    /// former version of the app.
    ///
    /// - Throws: `StatusError` with 400 when the body is not a JSON object, nested deeper than 64 levels, or not UTF-8;
    ///   `RequestError` when it is too large, late or cut short.
    public func variables() async throws -> Variables {
        if method == .get || method == .head { return Variables([:], isRefresh: refreshesPage) }
        let value = try await json()
        guard let object = value.object else {
            throw StatusError(.badRequest, "the body is not a JSON object: variables are sent as {\"name\": value}")
        }
        return Variables(object, isRefresh: refreshesPage)
    }

    /// Reads the variables that the client has sent, as one value.
    ///
    /// - Throws: what `variables()` throws, and `VariableError` with 400, which names the variable that is missing or of
    ///   another type.
    public func variables<Value: Decodable>(as type: Value.Type) async throws -> Value {
        try await variables().decode(type)
    }
}

private enum RefreshAttribute: RequestAttribute { typealias Value = Bool }

extension Request {
    /// Whether it refreshes a page with the page's variables.
    package var refreshesPage: Bool {
        get { attributes[RefreshAttribute.self] ?? false }
        set { attributes[RefreshAttribute.self] = newValue }
    }

    /// Reads the body as JSON, whatever its `Content-Type` says: real clients of the protocols are not exact about it.
    ///
    /// - Throws: `StatusError` with 400, which says where the body stops being JSON; `RequestError` when the body is too
    ///   large, late or cut short.
    public func json() async throws -> JSONValue {
        let bytes = try await body.collect()
        do throws(JSONParseError) {
            return try JSONValue(parsing: bytes.span)
        } catch {
            throw StatusError(.badRequest, "the body is not JSON: \(error)")
        }
    }
}

/// The two ways in which variables named with `#` and `%` arrive: nested since Applin's client 0.34, before that as they stand.
enum VariableNames {
    /// The value of a variable that arrived the other way than its name stands for; nil where it didn't arrive.
    static func value(_ name: String, in object: JSONObject) -> JSONValue? {
        switch VariableName(name) {
        case .plain: return collected(object).first { $0.key == name }?.value
        case .entry(let key, let entry): return object[key]?[entry]
        case .item(let key, let item): return (object[key]?.array).map { .bool($0.contains(.string(item))) }
        case nil: return nil
        }
    }

    /// The variables under all names by which they can be asked for.
    static func both(_ object: JSONObject) -> JSONObject {
        var both = object
        var names = Set(object.members.map(\.key))
        for (key, value) in collected(object) where names.insert(key).inserted { both.append(key, value) }
        for member in object.members where VariableName(member.key) == .plain {
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

    /// The objects and arrays that newer clients would have made of variables, in the order of their first ones.
    private static func collected(_ object: JSONObject) -> [(key: String, value: JSONValue)] {
        var keys: [String] = []
        var entries: [String: JSONObject] = [:]
        var items: [String: [JSONValue]] = [:]
        for member in object.members {
            switch VariableName(member.key) {
            case .entry(let key, let entry):
                if entries[key] == nil, items[key] == nil { keys.append(key) }
                entries[key, default: JSONObject()][entry] = member.value
            case .item(let key, let item):
                if entries[key] == nil, items[key] == nil { keys.append(key) }
                let isChosen = member.value != false && member.value != ""
                items[key, default: []] += isChosen ? [.string(item)] : []
            case .plain, nil: continue
            }
        }
        return keys.map { key in (key, entries[key].map { .object($0) } ?? .array(items[key] ?? [])) }
    }
}

/// A variable's name as clients since 0.34 read it: they divide it at each `%`, or else at each `#`, drop empty parts, and use two.
package enum VariableName: Hashable {
    case plain
    /// Its value goes into an object: `address#city`.
    case entry(key: String, String)
    /// Its second part goes into an array: `color%red`.
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

/// Makes Swift values of JSON, and errors that name the variable, what was expected and what came.
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

    /// Whether a text that a user has typed can become a value of a type.
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
