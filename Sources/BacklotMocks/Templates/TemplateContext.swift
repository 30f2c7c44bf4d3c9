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
    /// The values of `parameters`: a stub's `transformerParameters`.
    var parameters: JSONValue?
    /// The numbers that counters have given, where a template may be filled in twice for one request.
    var counts: TemplateCounts?

    func value(_ path: TemplatePath) -> TemplateValue {
        if path.names.isEmpty, let group = group(path.root) { return group }
        switch path.root {
        case .path: return .text(pathParameters[path.name])
        case .variables: return Self.follow(path.names[...], in: .object(request.variables))
        case .query:
            return request.queryValue(path.name).map { .text($0) } ?? Self.follow(path.names[...], query)
        case .headers: return .text(path.field.flatMap { request.headers[$0] })
        case .cookies: return .text(request.cookies.first { $0.name == path.name }?.value)
        case .session: return .text(user)
        case .request, .originalRequest: return requestValue(path)
        case .counter:
            let name = path.names.first ?? ""
            return .int(counts?.next { sources.count(name) } ?? sources.count(name))
        case .now: return sources.now(path.names.first)
        case .random: return sources.random(path.names.first)
        case .data:
            guard let value = data.value(path.names[0], for: request) else { return .missing }
            return Self.follow(path.names.dropFirst(), in: value)
        case .row: return row.map { Self.follow(path.names[...], in: $0) } ?? .missing
        case .parameters: return parameters.map { Self.follow(path.names[...], in: $0) } ?? .missing
        }
    }

    /// The values of a whole root, by their names; nil for a root that has a value of its own.
    private func group(_ root: TemplateRoot) -> TemplateValue? {
        switch root {
        case .variables: .json(.object(request.variables))
        case .path: Self.object(pathParameters.names.map { NamedValue(name: $0, value: pathParameters[$0] ?? "") })
        case .query: Self.object(request.queryParameters)
        case .cookies: Self.object(request.cookies)
        case .session: Self.object(user.map { [NamedValue(name: "user", value: $0)] } ?? [])
        case .parameters: parameters.map(TemplateValue.json) ?? .missing
        case .row: row.map(TemplateValue.json) ?? .missing
        case .headers, .request, .originalRequest, .data: .missing
        case .counter, .now, .random: nil
        }
    }

    static func object(_ values: [NamedValue]) -> TemplateValue {
        var names: Set<String> = []
        var object = JSONObject()
        for value in values where names.insert(value.name).inserted { object[value.name] = .string(value.value) }
        return .json(.object(object))
    }

    private func requestValue(_ path: TemplatePath) -> TemplateValue {
        let rest = path.names.dropFirst()
        switch path.part {
        case .url: return .text(request.url)
        case .path:
            guard let name = rest.first else { return .text(request.path) }
            return Int(name).map { .text(request.pathSegments.element(at: $0)) } ?? .text(pathParameters[name])
        case .pathSegments:
            guard !rest.isEmpty else { return .segments(request.path, request.pathSegments) }
            return Self.follow(rest, in: .array(request.pathSegments.map(JSONValue.string)))
        case .query: return Self.follow(rest, query)
        case .cookies: return Self.follow(rest, request.cookies)
        case .headers:
            guard let name = rest.first else {
                return Self.object(request.headers.map { NamedValue(name: $0.name, value: $0.value) })
            }
            let values = request.headerValues(name)
            return Self.follow(rest.dropFirst(), from: values.isEmpty ? .missing : .values(values))
        case .method: return .text(request.method.rawValue)
        case .host: return .text(host)
        case .port: return .text("\(request.port)")
        case .scheme: return .text(request.scheme)
        case .baseUrl: return .text(header("host").map { "\(request.scheme)://\($0)" })
        case .requestLine:
            guard let name = rest.first,
                let path = try? TemplatePath((["request", name] + rest.dropFirst()).joined(separator: "."))
            else { return .missing }
            return requestValue(path)
        case .bodyAsBase64: return .text(Base64.encode(bytes: request.body))
        case .id: return sources.random("uuid")
        case .body:
            if rest.isEmpty { return request.body.isEmpty ? .missing : .text(request.text) }
            return Self.follow(rest, in: request.json ?? .null)
        case .clientIp: return .text("\(request.remoteAddress.host)")
        case .multipart, .parts, nil: return .missing
        }
    }

    private var query: [NamedValue] { request.queryParameters }

    private func header(_ name: String) -> String? {
        HTTPField.Name(name).flatMap { request.headers[$0] }
    }

    private var host: String? {
        header("host").map { host in
            host.hasPrefix("[") ? String(host.prefix { $0 != "]" }) + "]" : String(host.prefix { $0 != ":" })
        }
    }

    /// A name, and perhaps which of several values; all of them without a name.
    static func follow(_ names: ArraySlice<String>, _ values: [NamedValue]) -> TemplateValue {
        guard let name = names.first else { return .form(values) }
        let own = values.filter { $0.name == name }.map(\.value)
        guard !own.isEmpty else {
            // `ids[].1` in `lookup` and names with dots.
            guard names.count > 1 else { return .missing }
            let whole = names.joined(separator: ".")
            return values.contains { $0.name == whole } ? follow([whole], values) : .missing
        }
        return follow(names.dropFirst(), from: .values(own))
    }

    static func follow(_ names: ArraySlice<String>, from value: TemplateValue) -> TemplateValue {
        names.reduce(value) { $0[$1] }
    }

    private static func follow(_ names: ArraySlice<String>, in value: JSONValue) -> TemplateValue {
        var found = value
        for name in names {
            if let next = found[name] ?? Int(name).flatMap({ found[$0] }) {
                found = next
            } else if case .json(let next) = TemplateValue.json(found)[name] {
                found = next
            } else {
                return .missing
            }
        }
        return .json(found)
    }
}

/// The numbers that counters have given in the course of one answer: when it is made again, they are given again.
final class TemplateCounts: Sendable {
    private let state = Locked((values: [Int](), next: 0))

    func next(_ draw: () -> Int) -> Int {
        state.withLock { state in
            if state.next == state.values.count { state.values.append(draw()) }
            defer { state.next += 1 }
            return state.values[state.next]
        }
    }

    func rewind() { state.withLock { $0.next = 0 } }
}

extension Array {
    fileprivate func element(at index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
