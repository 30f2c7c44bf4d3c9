import Backlot
import BacklotChecks
import BacklotTesting
import ClientTestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Servers that are equal but for what each says in its own way: no differences.
@Suite(.timeLimit(.minutes(5))) struct EqualServersTests {
    /// The count of one server, and the values it made up at its start.
    private final class State: Sendable {
        let visits = Counter()
        let id = UUID().uuidString
        let started = State.now(0)

        static func now(_ seconds: Int) -> String {
            let time = Date().addingTimeInterval(Double(Int.random(in: 0...1_000_000) + seconds))
            return time.formatted(.iso8601)
        }
    }

    private static func token() -> String {
        (0..<24).map { _ in String("abcdefghjkmnpqrstuvwxyz23456789".randomElement() ?? "x") }.joined()
    }

    /// A page as JSON, with the keys of each object in random order.
    private static func page(_ value: JSONValue) -> String {
        switch value {
        case .object(let object):
            "{"
                + object.members.shuffled().map { "\(JSONValue.string($0.key)):\(page($0.value))" }.joined(
                    separator: ","
                ) + "}"
        case .array(let elements): "[" + elements.map(page).joined(separator: ",") + "]"
        default: "\(value)"
        }
    }

    private static func text(_ text: String) -> JSONValue { ["typ": "text", "text": .string(text)] }

    /// One server.
    private static func app() -> ComparedApp {
        let state = State()
        var app = ComparedApp()
        func form(_ title: String, _ widgets: @escaping @Sendable (Request) -> [JSONValue]) -> ComparedApp.Responder {
            { request, _ in
                let form: JSONValue = ["typ": "form", "widgets": .array(widgets(request))]
                let content: JSONValue = ["typ": "scroll", "widget": form]
                let result: JSONValue = ["page": ["typ": "nav_page", "title": .string(title), "widget": content]]
                var response = ComparedApp.response(page(result))
                response.headers[.setCookie] = "session=\(token()); Path=/; Max-Age=1000"
                response.headers[.eTag] = "\"\(token())\""
                return response
            }
        }
        app.on(
            "/",
            form("Home") { _ in
                let visit = state.visits.next()
                var widgets = [
                    text("Visit \(visit)"), text("It is \(State.now(0))."), text("Since \(state.started)"),
                    text("Server \(state.id)"), text("Session \(token())"),
                    ["typ": "textfield", "var_name": "csrf", "initial_string": .string(token())],
                ]
                for path in ["/next", "/session/\(token())/home"] {
                    widgets.append([
                        "typ": "form_button", "text": "Go",
                        "actions": [["typ": "push", "page": .string(path)], ["typ": "rpc", "url": "/save"]],
                    ])
                }
                return widgets
            }
        )
        app.on("/next", form("Next") { _ in ["a", "b", "c", "d", "e", "f", "g"].shuffled().map { text($0) } })
        app.on("/save") { _, body in
            body.contains("\"csrf\"") ? Response() : .text("no token at \(State.now(0))", status: .unprocessableContent)
        }
        return app
    }

    @Test(arguments: 1...5)
    func `Two equal servers have no differences in dates, counters, ids and order`(run: Int) async throws {
        let report = try await TwoServers(Self.app(), Self.app()).diff { $0.callsRPCs = true }
        #expect(report.findings == [], "\(report)")
        #expect(report.unreachable == nil)
    }

    @Test func `A clock that shows seconds since the start is not a difference`() async throws {
        func app(from start: Int) -> ComparedApp {
            let begin = ContinuousClock.now
            var app = ComparedApp()
            app.on("/") { _, _ in
                let seconds = start + Int(begin.duration(to: .now).components.seconds)
                return .page(Shop.page("Home", Shop.text("Up for \(seconds) s"), Shop.text("x")))
            }
            return app
        }
        var report = try await TwoServers(app(from: 0), app(from: 500)).diff()
        #expect(report.isClean, "\(report)")
        let other = app(from: 500).with { $0.replace("/", #""text":"x""#, #""text":"y""#) }
        report = try await TwoServers(app(from: 0), other).diff()
        #expect(report.found == ["visible / value-changed"], "\(report)")
    }

    @Test func `What is there every other time`() async throws {
        func app() -> ComparedApp {
            let state = State()
            var app = ComparedApp()
            app.on("/") { _, _ in
                let count = state.visits.next()
                let mark = count % 4 < 2 ? [Shop.text("Advertisement \(count)")] : []
                let texts = ["Visit \(count)", "Hello", "Id \(Self.token())"].map(Shop.text)
                return .page(
                    Shop.page("Home", (texts.prefix(1) + mark + texts.dropFirst()).joined(separator: ","))
                )
            }
            return app
        }
        #expect(try await TwoServers(app(), app()).diff().findings == [])
        let report = try await TwoServers(app(), app().with { $0.replace("/", "Hello", "Hi") }).diff()
        #expect(report.found == ["visible / value-changed"], "\(report)")
    }

    @Test func `What changes beside volatile values is found`() async throws {
        let other = Self.app().with { $0.replace("/", "Server ", "Host ") }
        let report = try await TwoServers(Self.app(), other).diff()
        #expect(report.found == ["visible / value-changed"], "\(report)")
    }

    @Test func `URLs of each server's own are the same`() async throws {
        func app(_ host: String) -> ComparedApp {
            var app = ComparedApp()
            let picture = #"{"typ":"image","aspect_ratio":1,"disposition":"fit","url":"http://\#(host)/logo.png"}"#
            app.page("/", Shop.page("Home", picture))
            app.on("/logo.png") { _, _ in ComparedApp.response("http://\(host)/x", "text/plain") }
            return app
        }
        let report = try await TwoServers(app("a"), app("b")).diff()
        #expect(report.isClean, "\(report)")
        let other = try await TwoServers(app("a"), app("c")).diff()
        #expect(other.found.contains("visible / target-changed"), "\(other)")
    }

    @Test func `Apps in this process are compared`() async throws {
        func router(_ text: String) -> Router {
            let router = Router()
            router.get("/") { _ in .page(Shop.page("Home", Shop.text(text))) }
            return router
        }
        #expect(try await Comparison(router("x"), router("x")).report().isClean)
        #expect(try await Comparison(router("x"), router("y")).report().found == ["visible / value-changed"])
    }
}
