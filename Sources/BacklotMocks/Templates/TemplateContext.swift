import Backlot
import BacklotHTTP
import BacklotJSON
import HTTPTypes

/// What tags stand for in the answer to one request.
struct TemplateContext {
    let request: MockRequest
    /// The parameters of the route.
    let pathParameters: PathParameters
    /// The user who is logged in; nil for nobody.
    let user: String?
    let sources: TemplateSources
    /// The data that the client sees.
    var data = DataView.none
    /// The row that a change replaces; nil elsewhere.
    var row: JSONValue?

    func value(_ path: TemplatePath) -> TemplateValue {
        switch path.root {
        case .path: return Self.text(pathParameters[path.name])
        case .variables: return Self.json(.object(request.variables), path.names[...])
        case .query: return Self.text(request.queryValue(path.name))
        case .headers: return Self.text(path.field.flatMap { request.headers[$0] })
        case .cookies: return Self.text(request.cookies.first { $0.name == path.name }?.value)
        case .session: return Self.text(user)
        case .request: return requestValue(path)
        case .counter: return .json(.number(JSONNumber(Int64(sources.count(path.names.first ?? "")))))
        case .now: return sources.now(path.names.first)
        case .random: return sources.random(path.names.first)
        case .data: return Self.json(data.value(path.names.first ?? "", for: request) ?? .null, path.names.dropFirst())
        case .row: return Self.json(row ?? .null, path.names[...])
        }
    }

    /// The values of a group, by their names; nil when no group has that name.
    func all(_ root: TemplatePath.Root) -> JSONValue? {
        switch root {
        case .variables: .object(request.variables)
        case .path: Self.object(pathParameters.names.map { NamedValue(name: $0, value: pathParameters[$0] ?? "") })
        case .query: Self.object(request.queryParameters)
        case .cookies: Self.object(request.cookies)
        case .session: Self.object(user.map { [NamedValue(name: "user", value: $0)] } ?? [])
        case .headers, .request, .counter, .now, .random, .data, .row: nil
        }
    }

    private static func object(_ values: [NamedValue]) -> JSONValue {
        var names: Set<String> = []
        var object = JSONObject()
        for value in values where names.insert(value.name).inserted { object[value.name] = .string(value.value) }
        return .object(object)
    }

    private func requestValue(_ path: TemplatePath) -> TemplateValue {
        let rest = path.names.dropFirst()
        switch path.names[0] {
        case "url": return .text(request.url)
        case "path":
            guard let name = rest.first else { return .text(request.path) }
            return Int(name).map { Self.text(request.pathSegments.element(at: $0)) } ?? Self.text(pathParameters[name])
        case "pathSegments":
            guard let name = rest.first else { return .text(request.pathSegments.joined(separator: ",")) }
            return Self.text(Int(name).flatMap { request.pathSegments.element(at: $0) })
        case "query": return Self.indexed(rest, request.queryParameters)
        case "cookies": return Self.indexed(rest, request.cookies)
        case "headers":
            return Self.text(rest.first.map { request.headerValues($0) }?.element(at: Self.index(rest)))
        case "method": return .text(request.method.rawValue)
        case "host": return Self.text(header("host").map { String($0.prefix { $0 != ":" }) })
        case "port": return Self.text(header("host")?.split(separator: ":").dropFirst().last.map(String.init))
        case "scheme": return .text("http")
        default: return rest.isEmpty ? .text(request.text) : Self.json(request.json ?? .null, rest)
        }
    }

    private func header(_ name: String) -> String? {
        HTTPField.Name(name).flatMap { request.headers[$0] }
    }

    private static func text(_ text: String?) -> TemplateValue { text.map(TemplateValue.text) ?? .missing }

    /// A name, and perhaps which of several values.
    private static func indexed(_ names: ArraySlice<String>, _ values: [NamedValue]) -> TemplateValue {
        guard let name = names.first else { return .missing }
        return text(values.filter { $0.name == name }.map(\.value).element(at: index(names)))
    }

    private static func index(_ names: ArraySlice<String>) -> Int {
        names.count > 1 ? names.last.flatMap { Int($0) } ?? 0 : 0
    }

    private static func json(_ value: JSONValue, _ names: ArraySlice<String>) -> TemplateValue {
        var found: JSONValue? = value
        for name in names { found = found?[name] ?? Int(name).flatMap { found?[$0] } }
        return found.map(TemplateValue.json) ?? .missing
    }
}

extension Array {
    fileprivate func element(at index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}

/// What a tag stands for.
enum TemplateValue {
    /// Missing: written as an empty text, or as null.
    case missing
    case text(String)
    case json(JSONValue)

    /// As text: strings without quotes, null as the empty text, other JSON as it is written.
    var text: String {
        switch self {
        case .missing, .json(.null): ""
        case .text(let text): text
        case .json(let value): value.string ?? value.description
        }
    }

    /// As a JSON value.
    var json: JSONValue {
        switch self {
        case .missing: .null
        case .text(let text): .string(text)
        case .json(let value): value
        }
    }
}
