import A2UI
import Backlot
import BacklotTesting
import TestSupport
import Testing

@testable import demo_server

/// The booking assistant, used as a renderer uses it: strict, over HTTP, with taps on what is shown.
@Suite(.timeLimit(.minutes(3))) struct AssistantTests {
    /// A client with its surfaces.
    private final class Visitor {
        let transport: any ClientTransport
        let version: String
        var client = Processor(strictness: .strict)
        private var id: String?

        init(_ transport: any ClientTransport, _ version: String = "v0.9") {
            (self.transport, self.version) = (transport, version)
        }

        func open(_ surface: String) async throws {
            try await apply(.get, "surfaces/\(surface)?version=\(version)")
        }

        /// Writes into the input with a label.
        func type(_ value: JSONValue, into label: String, on surface: String = "booking") throws {
            let nodes = try #require(client.nodes(of: surface))
            for node in nodes.nodes.values where node.properties["label"] == .value(.string(label), path: nil) {
                guard case .value(_, let path?)? = node.properties["value"] else { continue }
                return try client.write(value, at: path, surface: surface)
            }
            Issue.record("there is no input \(label)")
        }

        /// The button with a text, in the row of a text if there is one.
        func button(_ title: String, nextTo text: String? = nil, on surface: String = "booking") throws -> Node {
            let nodes = try #require(client.nodes(of: surface))
            func texts(_ node: Node) -> [String] {
                let own: [String] =
                    if case .value(.string(let text)?, _)? = node.properties["text"] { [text] } else { [] }
                return own + node.children.compactMap { nodes.nodes[$0] }.flatMap(texts)
            }
            let found = nodes.order.compactMap { nodes.nodes[$0] }.filter { node in
                guard node.component?.type == "Button", texts(node) == [title] else { return false }
                let row = node.path.split(separator: "/").dropLast(2).joined(separator: "/")
                return text.map { wanted in nodes.nodes[row].map { texts($0).contains(wanted) } ?? false } ?? true
            }
            return try #require(found.first, "there is no button \(title)")
        }

        func tap(
            _ title: String,
            nextTo text: String? = nil,
            on surface: String = "booking",
            expecting status: HTTPResponse.Status = .ok
        ) async throws {
            let node = try button(title, nextTo: text, on: surface)
            let tap = try #require(client.tap(node, on: surface, at: "2026-11-24T12:00:00Z"), "\(title) is disabled")
            #expect(tap.errors == [])
            let message = try #require(tap.message)
            let models = client.dataModels(message.version) ?? .null
            let body: JSONValue = [
                "messages": [message.json],
                "metadata": [message.version.isOne ? "a2uiRendererDataModel" : "a2uiClientDataModel": models],
            ]
            try await apply(.post, "actions", body.bytes, expecting: status)
        }

        func texts(_ surface: String = "booking") -> [String] {
            let nodes = client.nodes(of: surface)
            return (nodes?.order ?? []).compactMap { path in
                guard case .value(let value, _)? = nodes?.nodes[path]?.properties["text"] else { return nil }
                return value?.string
            }
        }

        /// Applies the messages of a response, unless it is an expected error.
        private func apply(
            _ method: HTTPRequest.Method,
            _ path: String,
            _ body: [UInt8] = [],
            expecting status: HTTPResponse.Status = .ok
        ) async throws {
            var headers: HTTPFields = [.accept: "application/a2ui+json"]
            if !body.isEmpty { headers[.contentType] = "application/a2ui+json" }
            if let id { headers[.cookie] = "a2ui=\(id)" }
            let url = try HTTPURL("http://localhost/assistant/\(path)")
            let request = ClientRequest(method, url, headers: headers, body: body)
            let response = try await transport.response(to: request, limits: ClientLimits())
            #expect(response.status == status, "\(response.text)")
            guard response.status == .ok else { return }
            if let name = HTTPField.Name("A2UI-Client"), let new = response.headers[name] { id = new }
            #expect(client.apply(try JSONValue(parsing: response.body)) == [])
        }
    }

    private func transport() throws -> any ClientTransport {
        let router = Router()
        AssistantApp().register(on: router, sessions: MemorySessionStore())
        return try InProcessTransport(router.handler())
    }

    @Test(arguments: ["v0.9", "v0.9.1", "v1.0", "1.0"])
    func `A visit is booked, confirmed and cancelled`(version: String) async throws {
        let visitor = Visitor(try transport(), version)
        try await visitor.open("booking")
        #expect(visitor.texts().contains("09:30 with Dr Bell"))
        let book = try visitor.button("Book")
        #expect(
            visitor.client.failures(of: book, on: "booking").compactMap(\.message) == [
                "Please give your name.", "Please take a slot.",
            ]
        )
        try visitor.type("Ada", into: "Name")
        try visitor.type(["bell"], into: "Doctor")
        try await visitor.tap("Show")
        #expect(!visitor.texts().contains("09:00 with Dr Ito"))
        try await visitor.tap("Take", nextTo: "09:30 with Dr Bell")
        #expect(visitor.texts().contains("Yours: 09:30 with Dr Bell"))
        #expect(!visitor.texts().contains("09:30 with Dr Bell"))
        try await visitor.tap("Book")
        #expect(visitor.client.surfaces.keys.sorted() == ["receipt"])
        #expect(visitor.texts("receipt").contains("Dr Bell expects you at 09:30."))
        try await visitor.tap("Cancel the visit", on: "receipt")
        #expect(visitor.client.surfaces.keys.sorted() == ["booking"])
        #expect(visitor.texts().contains("09:30 with Dr Bell"))
    }

    @Test func `A slot that somebody has taken vanishes for others, who are told if they were late`() async throws {
        let transport = try transport()
        let (one, other) = (Visitor(transport), Visitor(transport))
        try await one.open("booking")
        try await other.open("booking")
        try await one.tap("Take", nextTo: "10:00 with Dr Ito")
        try await other.tap("Take", nextTo: "10:00 with Dr Ito")
        #expect(other.texts().contains("Somebody has just taken that one."))
        #expect(!other.texts().contains("10:00 with Dr Ito"))
        // A choice of another slot gives the first one back.
        try await one.tap("Take", nextTo: "14:00 with Dr Ito")
        try await other.tap("Show")
        #expect(other.texts().contains("10:00 with Dr Ito"))
        #expect(!other.texts().contains("14:00 with Dr Ito"))
    }

    @Test func `Nobody books or frees a slot of somebody else, whatever the model says`() async throws {
        let transport = try transport()
        let (one, other) = (Visitor(transport), Visitor(transport))
        try await one.open("booking")
        try await one.tap("Take", nextTo: "10:00 with Dr Ito")
        try await other.open("booking")
        try other.type("Eve", into: "Name")
        let foreign: JSONValue = ["id": "ito_1000", "time": "10:00", "doctor": "Dr Ito"]
        try other.client.write(foreign, at: DataPath("/slot"), surface: "booking")
        try await other.tap("Book", expecting: .unprocessableContent)
        // A choice of another slot gives back only what is one's own.
        try await other.tap("Take", nextTo: "14:00 with Dr Ito")
        #expect(!other.texts().contains("10:00 with Dr Ito"))
        try await other.tap("Book")
        try other.client.write(foreign, at: DataPath("/slot"), surface: "receipt")
        try await other.tap("Cancel the visit", on: "receipt")
        #expect(!other.texts().contains("10:00 with Dr Ito"))
        try one.type("Ada", into: "Name")
        try await one.tap("Book")
        #expect(one.texts("receipt").contains("Dr Ito expects you at 10:00."))
    }
}
