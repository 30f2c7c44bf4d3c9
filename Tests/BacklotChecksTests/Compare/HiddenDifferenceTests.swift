import Backlot
import BacklotChecks
import BacklotTesting
import ClientTestSupport
import Testing

/// Changing values don't hide differences, and aren't differences themselves.
@Suite(.timeLimit(.minutes(5))) struct HiddenDifferenceTests {
    @Test func `What is gone from among texts that are others each time`() async throws {
        func app(_ input: String) -> ComparedApp {
            var app = ComparedApp()
            app.on("/") { _, _ in
                let prices = (0..<150).map { _ in Shop.text("\(Int.random(in: 0...1_000_000))") }
                return .page(Shop.page("Home", prices.joined(separator: ",") + input))
            }
            return app
        }
        let input = #",{"typ":"textfield","var_name":"name","label":"Name"}"#
        let report = try await TwoServers(app(input), app("")).diff()
        #expect(report.found == ["breaking / variable-removed"], "\(report)")
    }

    @Test func `What breaks is listed among more texts than are listed`() async throws {
        func app(_ mark: String, _ input: String) -> ComparedApp {
            let texts = (0..<120).map { Shop.text("\(mark) x\($0)y") }.joined(separator: ",")
            return ComparedApp().with { $0.page("/", Shop.page("Home", texts + input)) }
        }
        let input = #",{"typ":"textfield","var_name":"name","label":"Name"}"#
        let servers = try TwoServers(app("a", input), app("b", ""))
        let report = try await servers.diff()
        #expect(report.found.contains("breaking / variable-removed"), "\(report.found)")
        #expect(report.differences.count == 101)
        let breaking = try await servers.diff { $0.least = .breaking }
        #expect(breaking.found == ["breaking / variable-removed"])
        #expect(breaking.notListedCount == 0)
    }

    @Test func `A page behind changing redirects is compared`() async throws {
        let shop = Shop.app.with { app in
            app.on("/old") { _, _ in
                let token = (0..<20).map { _ in String(Int.random(in: 0...9)) }.joined()
                return Response(status: .found, headers: [.location: "/form?token=a\(token)"])
            }
            app.page("/form", Shop.page("Form", #"{"typ":"textfield","var_name":"zip","label":"ZIP"}"#))
        }
        #expect(try await TwoServers(shop, shop).diff().isClean)
        let other = shop.with { $0.page("/form", Shop.page("Form", Shop.text("Closed"))) }
        let report = try await TwoServers(shop, other).diff()
        #expect(report.differences.contains { $0.kind == .breaking && $0.finding.path.page == "/old" }, "\(report)")
        #expect(!report.found.contains("visible /old redirect-changed"))
    }

    @Test func `Versions are compared although no client loads the first page`() async throws {
        let old = Shop.app.with { $0.replace("/", #""typ":"text""#, #""typ":"txet""#) }
        let new = old.with {
            $0.replace("/sign_up", #"{"typ":"pop"}"#, #"{"typ":"reset_var","var_name":"city"},{"typ":"pop"}"#)
        }
        let report = try await TwoServers(old, new).diff()
        #expect(report.found.contains("breaking /sign_up version-refused"), "\(report)")
    }

    @Test func `Links that are others each time lead to no page that only B has`() async throws {
        func app(from start: Int) -> ComparedApp {
            let asked = Counter(start)
            return Shop.app.with { app in
                let names = ["one", "two", "three", "four", "five", "six", "seven", "eight"]
                for name in names { app.page("/ad/\(name)", Shop.page("Ad", Shop.text("Buy"))) }
                app.on("/terms") { _, _ in
                    let count = asked.next()
                    return .page(Shop.page("Terms", Shop.push("Ad", "/ad/\(names[count % names.count])")))
                }
            }
        }
        let report = try await TwoServers(app(from: 0), app(from: 4)).diff()
        #expect(report.isClean, "\(report)")
    }
}
