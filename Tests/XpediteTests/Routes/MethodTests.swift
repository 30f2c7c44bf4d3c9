import Backlot
import Testing

@testable import Xpedite

/// Methods as values: what calls of them are on the wire, and what their handlers get.
@Suite(.timeLimit(.minutes(5))) struct MethodTests {
    private struct CustomerID: Codable {
        var id: Int
        var note: String?
    }

    private struct Order: Encodable {
        enum Kind: String, Codable { case gift }
        var zebra = 1
        var apple = "a"
        var kind = Kind.gift
        var tags = ["x", "y"]
        var size = ["w": 2]
        var isNew = true
        var price = 1.5
        var nothing: Int?
    }

    private static let home = Method("home")
    private static let view = Method<CustomerID>("viewCustomer")
    private static let order = Method<Order>("order")

    private func encoded(_ component: some Component) -> String { String(decoding: component.bytes, as: UTF8.self) }

    @Test(
        arguments: [
            (button("x").method(home), #""method":{"function":"home"}"#),
            (button("x").method("home"), #""method":{"function":"home"}"#),
            (button("x").method(home().navigation("root")), #""method":{"function":"home","navigation":"root"}"#),
            (
                button("x").method(view(CustomerID(id: 7))),
                #""method":{"function":"viewCustomer","parameters":{"id":7}}"#
            ),
            (button("x").method(view.formdata()), #""method":{"function":"viewCustomer","formdata":true}"#),
            (
                button("x").method(view.with(["a": "b"]).formdata()),
                #""method":{"function":"viewCustomer","parameters":{"a":"b"},"formdata":true}"#
            ),
            (
                button("x").method(MethodCall("viewCustomer", ["id": "7"])),
                #""method":{"function":"viewCustomer","parameters":{"id":"7"}}"#
            ),
            (
                button("x").method(order(Order())),
                #""method":{"function":"order","parameters":{"zebra":1,"apple":"a","kind":"gift","tags":["x","y"],"#
                    + #""size":{"w":2},"isNew":true,"price":1.5}}"#
            ),
        ] as [(Button, String)]
    )
    func `A call has the method's name and its input`(button: Button, method: String) {
        #expect(encoded(button) == #"{"type":"button","text":"x",\#(method)}"#)
    }

    @Test func `Forms, menus and tables call methods too`() {
        let form = form(id: "f") { checkbox(name: "a") }.save(Self.view.with(["id": 7]), "Go").cancel(Self.home)
        #expect(
            encoded(form)
                == #"{"type":"form","id":"f","save":{"function":"viewCustomer","parameters":{"id":7}},"saveNavigation":"Go","#
                + #""cancel":{"function":"home"},"components":[{"type":"checkbox","name":"a"}]}"#
        )
        let unchanged = Self.view.with(nil as CustomerID?)
        #expect(unchanged == Self.view)
        let menu = barButton(.right) {
            menuEntry("a", Self.home)
            menuEntry(Self.view(CustomerID(id: 1)))
        }
        #expect(
            encoded(menu).hasSuffix(
                #""components":[{"type":"menuEntry","text":"a","method":{"function":"home"}},"#
                    + #"{"type":"menuEntry","method":{"function":"viewCustomer","parameters":{"id":1}}}]}"#
            )
        )
        let table = table("rows") { cell("name") }.clickRow(Self.view, by: \.id)
        #expect(encoded(table).hasSuffix(#""clickRow":{"function":"viewCustomer","selected":"id"}}"#))
    }

    private func makeApp() throws -> TestApp {
        try TestApp { app in
            app.connect { _ in page { label("start") } }
            app.method(Self.home) { _ in page { label("home") } }
            app.method(Self.view, selected: \.id) { input, _ in
                page { label("\(input.id) \(input.note ?? "-")") }
            }
        }
    }

    @Test(
        arguments: [
            (["method": "home"], "home"),
            (["method": "viewCustomer", "parameters": ["id": 7]], "7 -"),
            (["method": "viewCustomer", "parameters": ["id": "7", "note": "n"]], "7 n"),
            (["method": "viewCustomer", "id": 7], "7 -"),
            (["method": "viewCustomer", "selected": "7"], "7 -"),
            (["method": "viewCustomer", "parameters": ["selected": 7]], "7 -"),
            (["method": "viewCustomer"], "The value 'id' is missing."),
            (["method": "viewCustomer", "parameters": ["id": "x"]], "The value 'id' must be a whole number."),
            (["method": "viewCustomer", "parameters": []], "The value 'id' is missing."),
            (["method": "nowhere"], "There is no method \"nowhere\"."),
        ] as [(JSONObject, String)]
    )
    func `A handler gets the input`(packet: JSONObject, text: String) async throws {
        let app = try makeApp()
        var packet = packet
        packet["token"] = .string(try await app.connect())
        #expect(try await app.send(packet).label == text)
    }

    private struct Odd: Codable {
        var number = 1.0
        var computed: Int { 1 }
    }

    @Test(arguments: [
        ("parameters are no object", 0), ("a number isn't finite", 1), ("a field without a name", 2),
    ])
    func `What can't be sent is found in the page`(_ what: String, _ index: Int) async throws {
        let app = try TestApp { app in
            app.connect { _ in
                page {
                    switch index {
                    case 0: button("x").method(Method<[Int]>("home")([1]))
                    case 1: button("x").method(Method<Odd>("home")(Odd(number: .infinity)))
                    default: table("rows") { cell("a") }.clickRow(Method<Odd>("home"), by: \.computed)
                    }
                }
            }
            app.method(Self.home) { _ in page { label("home") } }
            app.table("rows") { _, _, _ in [TableRow]() }
        }
        let response = try await app.send(["method": "setConnection"])
        #expect(response["rc"] == 5, "\(what): \(response)")
    }

    @Test func `Mistakes of registration are named`() {
        let router = Router()
        router.xpedite("/xpedite", version: 1) { app in
            app.connect { _ in page { label("start") } }
            app.method(Self.home) { _ in page { label("a") } }
            app.method(Method<Odd>("home"), selected: \.computed) { _, _ in page { label("b") } }
            app.table(TableMethod("rows"), batch: 0) { _, _, _ in [Odd]() }
        }
        let error = #expect(throws: StartupError.self) { try router.handler().prepare() }
        let problems = [
            "the method 'home' gets the value of a row in a computed property: name a stored one",
            "the method 'home' is declared twice", "the table 'rows' has batches of 0 rows: write 1 to 100,000",
        ]
        #expect(error?.problems.count == problems.count)
        for (found, expected) in zip(error?.problems ?? [], problems) { #expect(found.contains(expected)) }
    }
}
