import Testing

@testable import Backlot

extension SessionTests {
    /// Typed values, and how they are kept.
    struct Values {
        private enum CartAsNumber: SessionKey {
            static let name = CartKey.name
            typealias Value = Int
        }

        private enum Ratio: SessionKey {
            static let name = "ratio"
            typealias Value = Double
        }

        private enum Note: SessionKey {
            static let name = "note"
            typealias Value = String
        }

        private func make(limit: Int = 1000) -> SessionApp {
            .make { app in
                app.get("/fill") { request in
                    try await request.session.set(CartKey.self, to: Cart(items: ["tea", "Käse", "🍎"]))
                    try await request.session.set(Note.self, to: "")
                    return Response()
                }
                app.get("/cart") { request in
                    let cart = try await request.session[CartKey.self]
                    return .text(cart?.items.joined(separator: ",") ?? "none")
                }
                app.get("/number") { request in .text("\(try await request.session[CartAsNumber.self] ?? -1)") }
                app.get("/empty") { request in
                    try await request.session.set(CartKey.self, to: nil)
                    return Response()
                }
                app.get("/infinite") { request in
                    let session = try await request.session
                    try session.logIn(user: "eve")
                    try session.set(Ratio.self, to: .infinity)
                    return Response()
                }
                app.get("/large") { request in
                    try await request.session.set(Note.self, to: String(repeating: "x", count: 990))
                    return Response()
                }
            } configure: {
                $0.maximumBytes = limit
            }
        }

        @Test func `Values keep their type, nil removes them`() async throws {
            let app = make()
            let id = try #require(try await app.get("fill").id)
            #expect(try await app.get("cart", id).text == "tea,Käse,🍎")
            _ = try await app.get("empty", id)
            #expect(try await app.get("cart", id).text == "none")
        }

        @Test func `A value that can't be read as its type any more is nil, and can be set again`() async throws {
            let app = make()
            let id = try #require(try await app.get("fill").id)
            #expect(try await app.get("number", id).text == "-1")
            #expect(try await app.get("cart", id).text == "tea,Käse,🍎")
        }

        @Test func `Setting what is there already writes nothing`() async throws {
            let app = make()
            let id = try #require(try await app.get("fill").id)
            app.store.forgetCalls()
            _ = try await app.get("fill", id)
            #expect(app.store.calls == ["session"])
        }

        @Test func `A value that can't be encoded is 500, and nothing is saved`() async throws {
            let app = make()
            let id = try await app.logIn()
            let error = try await app.get("infinite", id).error
            guard case .notEncodable(name: "ratio", _) = error as? SessionError else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(try await app.user(id) == "nobody", "the log-in was half done, so the former session ends")
            #expect(app.store.memory.count == 0)
        }

        @Test func `A session that is too large is 500`() async throws {
            let app = make()
            let id = try #require(try await app.get("fill").id)
            let error = try await app.get("large", id).error as? SessionError
            #expect(error == .tooLarge(bytes: 1047, limit: 1000))
            #expect(try await app.get("cart", id).text == "tea,Käse,🍎")
        }

        @Test(arguments: [
            [:], ["a": ""], ["a": "1", "b": "[1,2]"], ["": "x"], ["é": "3:abc,"],
            ["x": String(repeating: "y", count: 5000)],
        ])
        func `Values survive writing and reading`(entries: [String: String]) {
            var values = SessionValues()
            values.entries = entries.mapValues { Array($0.utf8) }
            #expect(SessionValues(decoding: values.encoded) == values)
        }

        @Test func `The form is legible`() {
            var values = SessionValues()
            values.entries = ["cart": Array("{}".utf8), "a": Array("1".utf8)]
            #expect(String(decoding: values.encoded, as: UTF8.self) == "1:a,1:1,4:cart,2:{},")
        }

        @Test(arguments: [
            "x", "1", "1:", "1:a", "1:a,", "1:a,1:", "1:a,1:b", "1:a,1:bb", "2:a,1:b,", ":a,", "-1:a,1:b,", "1:a,1:b,x",
            "1:a,1:b,1:a,1:c,", "99999999999999999999:a,", "1:\u{0},9999999999:a,", "+1:a,1:b,",
        ])
        func `What was not written so is not read`(text: String) {
            #expect(SessionValues(decoding: Array(text.utf8)) == nil)
        }

        @Test func `A record with bytes of another form has no values`() async throws {
            let app = make()
            let id = try await app.logIn()
            var record = try #require(try await app.store.memory.session(at: SessionHash(hashing: id)).value)
            record.values = Array("{broken".utf8)
            try await app.store.memory.insert(record)
            #expect(try await app.get("counter", id).text == "0")
            #expect(try await app.get("count", id).text == "1")
            #expect(try await app.user(id) == "ada")
        }
    }
}
