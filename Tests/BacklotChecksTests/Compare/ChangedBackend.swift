import Applin
import Backlot
import BacklotChecks
import BacklotClients
import DynamicViews
import Floki
import TestSupport
import Testing
import Xpedite

@testable import BacklotMocks

/// One change of a backend, and the difference that must be found for it.
struct SeededChange: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The method and path of the changed response; for Xpedite, also the method of the call.
    let request: String
    let rule: String
    let pointer: String
    let isRPC: Bool
    /// Another difference that must be found then; nil without one.
    let consequence: String?
    let change: @Sendable (inout Response) throws -> Void

    init(
        _ rule: String,
        _ request: String,
        at pointer: String = "",
        rpc: Bool = false,
        consequence: String? = nil,
        _ note: String = "",
        change: @escaping @Sendable (inout Response) throws -> Void
    ) {
        testDescription = "\(rule) \(note)"
        self.request = request
        self.rule = rule
        self.pointer = pointer
        isRPC = rpc
        self.consequence = consequence
        self.change = change
    }
}

/// A backend that serves the repository's own routes, with values that are others each time, and perhaps with a change.
struct ChangedBackend {
    /// The repository's own mock routes.
    static let routes = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/") + "/Routes"

    let transport: InProcessTransport

    init(_ seed: SeededChange? = nil, from folder: String = routes) throws {
        let router = Router()
        router.use(Changing(seed: seed))
        router.mocks(try Self.mocks(folder))
        transport = try InProcessTransport(router.handler())
    }

    static func mocks(_ folder: String = routes) throws -> MockBackend {
        let formats: [FileFormat] = [.applin(), .xpedite(), .floki(), .dynamicViews()]
        let backend = MockBackend(MockConfiguration(formats: formats))
        try RouteFiles(folder, backend: backend).load()
        return backend
    }

    /// Compares the routes with it.
    func report(
        rpc: Bool = false,
        _ change: (inout ComparisonOptions) -> Void = { _ in }
    ) async throws -> MocksComparisonReport {
        var options = ComparisonOptions()
        options.callsRPCs = rpc
        change(&options)
        return try await MocksComparison(
            Self.mocks(),
            with: InProcessTransport.root,
            transport: transport,
            options: options
        ).report()
    }
}

/// Changes values in each response, and makes the seed's change.
private final class Changing: Middleware {
    private let seed: SeededChange?
    private let count = Locked(0)

    init(seed: SeededChange?) { self.seed = seed }

    func respond(to request: Request, next: any Handler) throws -> HandlerResult {
        var request = request
        request.isCheck = true  // no delays
        let sent = request
        return .pending { [seed, count] in
            let body = try await sent.collectSharedBody(upTo: 1_000_000)
            var response = try await next.respond(to: sent).response()
            let number = count.withLock { count in
                count += 1
                return count
            }
            if case .bytes(let bytes) = response.body, let document = try? JSONValue(parsing: bytes) {
                response.body = .bytes(Self.changed(document, number).bytes)
                response.headers[.contentLength] = nil
            }
            let call = (try? JSONValue(parsing: body))?["method"]?.string
            let title = "\(sent.method) \(sent.path)" + (call.map { " \($0)" } ?? "")
            if let seed, seed.request == title { try seed.change(&response) }
            return response
        }
    }

    /// The same with other texts and times.
    private static func changed(_ value: JSONValue, _ number: Int, key: String = "") -> JSONValue {
        switch value {
        case .string(let text):
            switch key {
            case "sub_text", "requestedAt", "text", "title", "body":
                let digits = text.contains(where: \.isNumber)
                guard digits else { return value }
                return .string(String(text.map { $0.isNumber ? Character("\(number % 10)") : $0 }))
            default: return value
            }
        case .number: return ["shelf", "price", "v"].contains(key) ? .number(JSONNumber(Int64(number))) : value
        case .array(let elements): return .array(elements.map { changed($0, number) })
        case .object(let object):
            return .object(
                object.members.reduce(into: JSONObject()) { $0[$1.key] = changed($1.value, number, key: $1.key) }
            )
        default: return value
        }
    }
}

/// Files of mocks that are compared with a backend, and what stands in them afterwards.
func compare(
    _ files: [String: String],
    with transport: InProcessTransport,
    at root: String = InProcessTransport.root,
    update: Bool = false,
    _ change: (inout ComparisonOptions) -> Void
) async throws -> (report: MocksComparisonReport, files: [String: String]) {
    try await withTemporaryFolder { folder in
        for (name, text) in files { try folder.write(text, to: name) }
        let mocks = MockBackend(MockConfiguration(formats: [.applin()]))
        try RouteFiles(folder.path, backend: mocks).load()
        var options = ComparisonOptions()
        change(&options)
        let comparison = try MocksComparison(mocks, with: root, transport: transport, options: options)
        let report = try await comparison.report(update: update)
        let kept = try #require(RoutesFolder(folder.path))
        let texts = try files.keys.map { ($0, String(decoding: try kept.read($0), as: UTF8.self)) }
        return (report, Dictionary(uniqueKeysWithValues: texts))
    }
}

extension Response {
    /// A response of JSON.
    static func document(_ value: JSONValue, _ status: HTTPResponse.Status = .ok) -> Response {
        Response(status: status, headers: [.contentType: "application/json"], body: .bytes(value.bytes))
    }

    /// A page, or what stands in the place of one.
    static func pageText(_ text: String) -> Response {
        Response(headers: [.contentType: "application/vnd.applin_response"], body: .bytes(Array(text.utf8)))
    }

    /// Changes the part of a body of JSON that a pointer leads to; nil removes it.
    mutating func edit(_ pointer: String, _ change: (JSONValue?) -> JSONValue?) throws {
        guard case .bytes(let bytes) = body else { throw StubError("no body", at: []) }
        let document = try JSONValue(parsing: bytes)
        body = .bytes(document.edited(JSONPointer.steps(of: pointer)[...], change).bytes)
    }

    /// Puts an element into a list.
    mutating func insert(_ element: JSONValue, at index: Int, of list: String) throws {
        try edit(list) { value in
            var elements = value?.array ?? []
            elements.insert(element, at: index)
            return .array(elements)
        }
    }

    /// Removes an element of a list.
    mutating func remove(at index: Int, of list: String) throws {
        try edit(list) { value in
            var elements = value?.array ?? []
            elements.remove(at: index)
            return .array(elements)
        }
    }
}

extension JSONValue {
    fileprivate func edited(_ steps: ArraySlice<String>, _ change: (JSONValue?) -> JSONValue?) -> JSONValue {
        guard let step = steps.first else { return change(self) ?? .null }
        let rest = steps.dropFirst()
        switch self {
        case .array(var elements):
            guard let index = Int(step), elements.indices.contains(index) else { return self }
            elements[index] = elements[index].edited(rest, change)
            return .array(elements)
        case .object(var object):
            object[step] = rest.isEmpty ? change(object[step]) : object[step]?.edited(rest, change)
            return .object(object)
        default: return self
        }
    }
}
