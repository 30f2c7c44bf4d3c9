import Backlot
import BacklotRecording
import Foundation
import Logging
import TestSupport
import Testing

@testable import BacklotMocks

/// What WireMock does, as its documentation says, written down as data: stubs, requests and answers.
struct WireMockCase: Sendable {
    let name: String
    /// The stubs, which are added by command one after the other.
    let stubs: [JSONValue]
    /// A part of the message with which the last stub must be refused; nil where none is.
    let refused: String?
    /// Whether WireMock takes it, and it is refused here.
    let isUnsupported: Bool
    /// A part of the warning with which the last stub must be taken; nil where none is asked for.
    let warned: String?
    /// Requests, and the answers to them.
    let calls: [(request: String, response: JSONValue)]
    let files: [(name: String, text: String)]
    /// The calls of webhooks that must arrive.
    let called: [JSONValue]

    init(_ json: JSONValue) throws {
        name = try #require(json["name"]?.string)
        stubs = json["stubs"]?.array ?? []
        refused = json["refused"]?.string
        isUnsupported = json["unsupported"]?.bool ?? false
        warned = json["warned"]?.string
        calls = try (json["calls"]?.array ?? []).map { ($0[0]?.string ?? "", try #require($0[1])) }
        files = json["files"]?.object?.members.map { ($0.key, $0.value.string ?? "") } ?? []
        called = json["called"]?.array ?? []
    }

    /// The cases of a file, one in each line.
    static func all(in file: String) throws -> [WireMockCase] {
        let url = URL(filePath: #filePath).deletingLastPathComponent().appending(path: file)
        return try String(contentsOf: url, encoding: .utf8).split(separator: "\n").map {
            try WireMockCase(JSONValue(parsing: String($0)))
        }
    }
}

/// Mocks, their commands and a backend that says what it was asked.
struct WireMockApp {
    /// A wrong answer.
    struct Wrong: Error, CustomStringConvertible {
        let description: String
    }

    let handler: any Handler
    let files: RouteFiles
    let address: SocketAddress
    let arrivals: AsyncStream<JSONValue>

    /// Calls `body` with mocks in a folder of their own.
    static func with<Result>(
        _ files: [(name: String, text: String)],
        _ body: (WireMockApp) async throws -> Result
    ) async throws -> Result {
        let (arrivals, arrived) = AsyncStream.makeStream(of: JSONValue.self)
        let backend = Router()
        backend.add(Echo(arrived: arrived))
        return try await withServer(backend.handler()) { address in
            try await withTemporaryFolder { folder in
                for (name, text) in files { try folder.write(text.replacing("BACKEND", with: "\(address)"), to: name) }
                let journal = Journal()
                var configuration = MockConfiguration()
                configuration.observer = journal
                configuration.sharesState = true
                configuration.allowRecording()
                configuration.allowedWebhooks = try [#require(WebhookAddress("\(address)"))]
                let mocks = MockBackend(configuration, logger: .silent)
                let routes = try RouteFiles(folder.path, backend: mocks)
                try routes.load()
                let handler = mocks.handler(journal: journal, access: LocalAccess(host: "127.0.0.1", token: "t"))
                return try await body(
                    WireMockApp(handler: handler, files: routes, address: address, arrivals: arrivals)
                )
            }
        }
    }

    /// Answers a request that is written as in HTTP: a line with method and target, header fields, an empty line, the body.
    func ask(_ text: String) async throws -> Response {
        var lines = text.replacing("BACKEND", with: "\(address)").split(
            separator: "\n",
            omittingEmptySubsequences: false
        )[...]
        let start = lines.removeFirst().split(separator: " ", maxSplits: 1)
        var headers = HTTPFields()
        while let line = lines.popFirst(), !line.isEmpty {
            let pair = line.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            headers.append(HTTPField(name: try #require(HTTPField.Name(pair[0])), value: pair[1]))
        }
        if start[1].hasPrefix("/__admin") { headers[.authorization] = "Bearer t" }
        let body = Array(lines.joined(separator: "\n").utf8)
        let method = try #require(HTTPRequest.Method(String(start[0])))
        return try await handler.response(to: Request(method, String(start[1]), headers: headers, body: body))
    }

    /// Adds the stubs of a case.
    func add(_ test: WireMockCase) async throws {
        for (index, stub) in test.stubs.enumerated() {
            let response = try await ask("POST /__admin/mappings\n\n\(stub)")
            let isLast = index == test.stubs.count - 1
            let text = response.text
            if let refused = test.refused, isLast {
                guard response.status.code == 422, text.contains(refused) else {
                    throw Wrong(description: "it should be refused with \(refused): \(response.status.code) \(text)")
                }
                let pointer = try JSONValue(parsing: text)["errors"]?[0]?["source"]?["pointer"]?.string
                guard pointer?.hasPrefix("/") == true else {
                    throw Wrong(description: "the refusal names no place: \(text)")
                }
            } else {
                guard response.status.code == 201 else { throw Wrong(description: "it is refused: \(text)") }
                let warning = HTTPField.Name("Backlot-Warning").flatMap { response.headers[$0] }
                if isLast, let warned = test.warned, warning?.contains(warned) != true {
                    throw Wrong(description: "no warning names \(warned): \(warning ?? "none")")
                }
                if test.warned == nil, let warning { throw Wrong(description: "a warning: \(warning)") }
            }
        }
    }

    /// Plays a case.
    func play(_ test: WireMockCase) async throws {
        try await add(test)
        for (request, expected) in test.calls {
            if request == "RELOAD" {
                _ = files.scan()
                continue
            }
            let response = try await ask(request)
            if let difference = difference(response, expected) {
                throw Wrong(description: "\(request.prefix(80)): \(difference)")
            }
        }
        var iterator = arrivals.makeAsyncIterator()
        for expected in test.called {
            let arrived = await iterator.next() ?? .null
            guard fits(arrived, expected) else {
                throw Wrong(description: "another call than \(expected) arrived: \(arrived)")
            }
        }
    }

    /// What is wrong with an answer; nil for nothing.
    private func difference(_ response: Response, _ expected: JSONValue) -> String? {
        let found = "\(response.status.code) \(response.text)"
        if let text = expected.string {
            if text.hasPrefix("fault ") {
                guard case .fault(let fault) = response.body, text.hasSuffix(fault.rawValue) else { return found }
                return nil
            }
            let parts = text.split(separator: " ", maxSplits: 1)
            guard "\(response.status.code)" == parts[0] else { return found }
            return parts.count > 1 ? bodyDifference(response, String(parts[1])) : nil
        }
        if let status = expected.number?.int64 { return status == Int64(response.status.code) ? nil : found }
        guard expected["status"]?.number?.int64 == Int64(response.status.code) else { return found }
        if let reason = expected["reason"]?.string, reason != response.status.reasonPhrase {
            return "the reason is \(response.status.reasonPhrase)"
        }
        for member in expected["headers"]?.object?.members ?? [] {
            let value = HTTPField.Name(member.key).flatMap { name in
                let values = response.headers[values: name]
                return values.isEmpty ? nil : values.joined(separator: ", ")
            }
            if value != member.value.string { return "\(member.key) is \(value ?? "missing")" }
        }
        return expected["body"]?.string.flatMap { bodyDifference(response, $0) }
    }

    /// JSON may have more members than expected; other texts are compared as they are.
    private func bodyDifference(_ response: Response, _ expected: String) -> String? {
        let found = response.text
        guard expected.hasPrefix("{") || expected.hasPrefix("["), let wanted = try? JSONValue(parsing: expected) else {
            return found == expected.replacing("BACKEND", with: "\(address)") ? nil : "the body is \(found)"
        }
        guard let json = try? JSONValue(parsing: found), fits(json, wanted) else { return "the body is \(found)" }
        return nil
    }

    private func fits(_ value: JSONValue, _ expected: JSONValue) -> Bool {
        var budget = MatchBudget.command
        var comparison = JSONComparison(ignoresExtraElements: true)
        try? comparison.prepare(LocatedValue(expected))
        return comparison.areEqual(expected, value, &budget)
    }
}

/// Answers with what it was asked.
private struct Echo: Fallback {
    let arrived: AsyncStream<JSONValue>.Continuation

    func respond(to request: Request) -> Ready<Response?> {
        .pending { [arrived] in
            let body = try await request.collectSharedBody(upTo: 1_000_000)
            var headers = JSONObject()
            for (name, value) in request.headers {
                headers[name.lowercased()] = .array((headers[name.lowercased()]?.array ?? []) + [.string(value)])
            }
            let call: JSONValue = [
                "method": .string(request.method.rawValue), "target": .string(request.target),
                "headers": .object(headers), "body": .string(String(decoding: body, as: UTF8.self)),
            ]
            arrived.yield(call)
            return Response(json: call)
        }
    }
}
