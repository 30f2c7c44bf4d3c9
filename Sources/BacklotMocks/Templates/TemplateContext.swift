import Backlot

/// The values of tags in the response to one request.
struct TemplateContext {
    let request: MockRequest
    /// The parameters of the route.
    let pathParameters: PathParameters
    /// The user who is logged in; nil for nobody.
    var user: String?
    let sources: TemplateSources
    /// The data that the client sees.
    var data = DataView.none
    /// The row that a change replaces; nil elsewhere.
    var row: JSONValue?
    /// The values of `parameters`: a stub's `transformerParameters`.
    var parameters: JSONValue?
    /// The client's last message on a WebSocket; nil elsewhere.
    var message: WebSocketMessage?
    /// The round of the innermost loop of a stream, from 1.
    var round = 1
    /// The numbers that counters have given, if a template may be filled in twice for one request.
    var counts: TemplateCounts?

    func value(_ path: TemplatePath) -> TemplateValue {
        let names = path.names[...]
        switch path.root {
        case .path: return names.isEmpty ? .form(pathValues) : .text(pathParameters[path.name])
        case .variables: return Self.follow(names, in: .object(request.variables))
        case .query:
            if !names.isEmpty, let value = request.queryValue(path.name) { return .text(value) }
            return TemplateValue.form(request.queryParameters).following(names)
        case .headers: return .text(path.field.flatMap { request.headers[$0] })
        case .cookies where names.isEmpty: return .form(request.cookies)
        case .cookies: return .text(request.cookies.first { $0.name == path.name }?.value)
        case .session where names.isEmpty: return .form(user.map { [NamedValue(name: "user", value: $0)] } ?? [])
        case .session: return .text(user)
        case .request, .originalRequest: return path.part.map { value($0, names.dropFirst()) } ?? .missing
        case .counter:
            let name = names.first ?? ""
            return .int(counts?.next { sources.count(name) } ?? sources.count(name))
        case .now: return Self.text(of: now, names.first)
        case .random: return sources.random(names.first)
        case .data:
            guard let name = names.first, let value = data.value(name) else { return .missing }
            return Self.follow(names.dropFirst(), in: value)
        case .message:
            guard let message else { return .missing }
            if names.isEmpty { return .text(message.text ?? Base64.encode(bytes: message.bytes)) }
            return Self.follow(names, in: (try? JSONValue(parsing: message.bytes)) ?? .null)
        case .round: return .int(round)
        case .row: return row.map { Self.follow(names, in: $0) } ?? .missing
        case .parameters: return parameters.map { Self.follow(names, in: $0) } ?? .missing
        }
    }

    /// The time for the client, in milliseconds since 1970.
    var now: Int64 { sources.clocks.milliseconds(of: data.scope) }

    private static func text(of milliseconds: Int64, _ kind: String?) -> TemplateValue {
        let text = HTTPDate(secondsSince1970: Int(milliseconds / 1000)).rfc3339
        switch kind {
        case "seconds": return .int(milliseconds / 1000)
        case "milliseconds": return .int(milliseconds)
        case "date": return .text(String(text.prefix(10)))
        default: return .text(text)
        }
    }

    private var pathValues: [NamedValue] {
        pathParameters.names.map { NamedValue(name: $0, value: pathParameters[$0] ?? "") }
    }

    /// A part of the request, or a part of that.
    private func value(_ part: TemplatePath.RequestPart, _ rest: ArraySlice<String>) -> TemplateValue {
        switch part {
        case .url: return .text(request.url)
        case .path:
            guard let name = rest.first else { return .text(request.path) }
            guard let index = Int(name) else { return .text(pathParameters[name]) }
            return .text(request.pathSegments.indices.contains(index) ? request.pathSegments[index] : nil)
        case .pathSegments: return TemplateValue.texts(request.path, request.pathSegments).following(rest)
        case .query: return TemplateValue.form(request.queryParameters).following(rest)
        case .cookies: return TemplateValue.form(request.cookies).following(rest)
        case .headers:
            guard let name = rest.first else {
                return .object(request.headers.map { NamedValue(name: $0.name, value: $0.value) })
            }
            let values = request.headerValues(name)
            return values.first.map { TemplateValue.texts($0, values).following(rest.dropFirst()) } ?? .missing
        case .method: return .text(request.method.rawValue)
        case .host:
            guard let host, host.hasPrefix("[") else { return .text(host.map { String($0.prefix { $0 != ":" }) }) }
            return .text(host.prefix { $0 != "]" } + "]")
        case .port: return .text("\(request.port)")
        case .scheme: return .text(request.scheme)
        case .baseUrl: return .text(host.map { "\(request.scheme)://\($0)" })
        case .requestLine:
            guard let name = rest.first, let part = TemplatePath.RequestPart(rawValue: name) else { return .missing }
            return value(part, rest.dropFirst())
        case .bodyAsBase64: return .text(Base64.encode(bytes: request.body))
        case .id: return sources.random("uuid")
        case .body where rest.isEmpty: return request.body.isEmpty ? .missing : .text(request.text)
        case .body: return Self.follow(rest, in: request.json ?? .null)
        case .clientIp: return .text("\(request.clientAddress.host)")
        }
    }

    private var host: String? { request.headerValues("Host").first }

    private static func follow(_ names: ArraySlice<String>, in value: JSONValue) -> TemplateValue {
        var found = value
        for name in names {
            guard case .json(let next) = TemplateValue.json(found)[name] else { return .missing }
            found = next
        }
        return .json(found)
    }
}

/// Values of templates that aren't in the request: counters, the time, random values.
final class TemplateSources: Sendable {
    private struct State {
        var counters: [String: Int] = [:]
        var random: SplitMix64
    }

    static let letters = "abcdefghijklmnopqrstuvwxyz"

    private let state: Locked<State>
    private let seed: UInt64?
    let clocks: MockClocks

    /// - Parameter seed: the seed of random values: with a seed, each run has the same values; nil for new values in each run.
    init(seed: UInt64?, clocks: MockClocks = MockClocks(.system)) {
        (self.seed, self.clocks) = (seed, clocks)
        state = Locked(State(random: SplitMix64(seed: seed ?? .random(in: 0...(.max)))))
    }

    /// Starts again: counters at 0, and random values from the beginning if there is a seed.
    func reset() {
        state.withLock { state in
            state.counters = [:]
            if let seed { state.random = SplitMix64(seed: seed) }
        }
    }

    /// The next value of a counter, from 1.
    func count(_ name: String) -> Int {
        state.withLock { state in
            state.counters[name, default: 0] += 1
            return state.counters[name, default: 1]
        }
    }

    func draw<Value>(_ body: (inout SplitMix64) -> Value) -> Value {
        state.withLock { body(&$0.random) }
    }

    /// This number of random characters.
    func characters(_ count: Int, of all: String) -> String {
        let all = Array(all)
        return draw { random in String((0..<count).map { _ in all.randomElement(using: &random) ?? "a" }) }
    }

    func random(_ kind: String?) -> TemplateValue {
        switch kind {
        case "uuid": .text("\(StubID(draw { ($0.next(), $0.next()) }))")
        case "number": .int(draw { Int.random(in: 0..<1_000_000, using: &$0) })
        case "word": .text(characters(8, of: Self.letters))
        default: .optional(JSONNumber(draw { Double.random(in: 0..<1, using: &$0) }).map(JSONValue.number))
        }
    }
}

/// The numbers of counters during one response: if the response is made again, it gets the same numbers.
final class TemplateCounts: Sendable {
    private let state = Locked((values: [Int](), next: 0))
    private let isTrial: Bool

    /// - Parameter isTrial: whether the response is made only to look at it: its counters count nothing, and are 0.
    init(isTrial: Bool = false) { self.isTrial = isTrial }

    func next(_ draw: () -> Int) -> Int {
        if isTrial { return 0 }
        return state.withLock { state in
            if state.next == state.values.count { state.values.append(draw()) }
            defer { state.next += 1 }
            return state.values[state.next]
        }
    }

    func rewind() { state.withLock { $0.next = 0 } }
}
