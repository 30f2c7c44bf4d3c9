import Backlot
import BacklotChecks
import BacklotTesting
import ClientTestSupport
import Testing

/// An app, and the texts that it is made of.
enum Shop {
    static func page(_ title: String, more: String = "", _ widgets: String...) -> String {
        Backend.form(title: title, more: more, widgets)
    }

    static func text(_ text: String) -> String { #"{"typ":"text","text":"\#(text)"}"# }

    static func push(_ text: String, _ path: String) -> String {
        Backend.button(text, #"{"typ":"push","page":"\#(path)"}"#)
    }

    static let rpc = #"{"typ":"rpc","url":"/send"}"#

    static let app: ComparedApp = {
        var app = ComparedApp()
        app.page(
            "/",
            page(
                "Shop",
                text("Welcome"),
                #"{"typ":"image","aspect_ratio":2,"disposition":"fit","url":"/logo.png"}"#,
                push("Terms", "/terms"),
                push("Items", "/items"),
                push("Sign up", "/sign_up"),
                push("Account", "/account"),
                push("Old", "/old"),
                #"{"typ":"nav_button","text":"About","sub_text":"Us","actions":[{"typ":"push","page":"/about"}]}"#
            )
        )
        app.page("/terms", page("Terms", text("Be kind.")))
        app.page("/about", page("About", text("We sell things."), text("Since ever.")))
        app.page("/items", page("Items", more: #""poll_seconds":60"#, text("Apples"), text("Pears"), text("Plums")))
        app.page(
            "/sign_up",
            page(
                "Sign up",
                #"{"typ":"textfield","var_name":"name","label":"Name","initial_string":"Ann"}"#,
                #"{"typ":"textfield","var_name":"city","label":"City"}"#,
                #"{"typ":"checkbox","var_name":"news","text":"News"}"#,
                Backend.button("Send", rpc, #"{"typ":"pop"}"#)
            )
        )
        app.on("/send") { _, _ in Response() }
        app.on("/account") { _, _ in .text("Log in first.", status: .forbidden) }
        app.on("/old") { _, _ in Response(status: .found, headers: [.location: "/terms"]) }
        app.on("/logo.png") { _, _ in ComparedApp.response("picture", "image/png") }
        app.change("/") {
            $0.headers[.setCookie] = "session=secret; Path=/; Max-Age=100; HttpOnly"
            $0.headers[.cacheControl] = "no-store"
        }
        return app
    }()
}

/// One app, and what becomes of it: each change is found, and is of the class that it should be.
@Suite(.timeLimit(.minutes(5))) struct ComparisonTests {
    /// A change of the shop.
    struct Change: Sendable, CustomStringConvertible {
        let name: String
        let kind: Difference.Kind
        let page: String
        let rule: String
        let make: @Sendable (inout ComparedApp) -> Void

        init(
            _ name: String,
            _ kind: Difference.Kind,
            _ page: String,
            _ rule: String,
            _ make: @escaping @Sendable (inout ComparedApp) -> Void
        ) {
            (self.name, self.kind, self.page, self.rule, self.make) = (name, kind, page, rule, make)
        }

        var description: String { name }
    }

    static let changes: [Change] = [
        // Breaking
        Change("a page is gone", .breaking, "/terms", "page-gone") { $0.remove("/terms") },
        Change("a page is refused", .breaking, "/about", "status-changed") {
            $0.on("/about") { _, _ in .text("Log in first.", status: .forbidden) }
        },
        Change("a page fails", .breaking, "/items", "status-changed") {
            $0.on("/items") { _, _ in .text("sorry", status: .internalServerError) }
        },
        Change("a variable is gone", .breaking, "/sign_up", "variable-removed") {
            $0.replace("/sign_up", #"{"typ":"checkbox","var_name":"news","text":"News"},"#, "")
        },
        Change("a variable has another name", .breaking, "/sign_up", "variable-changed") {
            $0.replace("/sign_up", #""var_name":"city""#, #""var_name":"town""#)
        },
        Change("a variable has another type", .breaking, "/sign_up", "variable-retyped") {
            $0.replace(
                "/sign_up",
                #"{"typ":"textfield","var_name":"city","label":"City"}"#,
                #"{"typ":"checkbox","var_name":"city","text":"City"}"#
            )
        },
        Change("an input is required", .breaking, "/sign_up", "variable-required") {
            $0.replace("/sign_up", #""label":"City""#, #""label":"City","min_chars":2"#)
        },
        Change("an rpc requires more", .breaking, "/send", "status-changed") {
            $0.on("/send") { _, body in
                body.contains(#""city":"""#) ? .text("Fill in the city.", status: .unprocessableContent) : Response()
            }
        },
        Change("an rpc is gone", .breaking, "/send", "route-gone") { $0.remove("/send") },
        Change("old clients refuse an action", .breaking, "/sign_up", "version-refused") {
            $0.replace("/sign_up", #"{"typ":"pop"}"#, #"{"typ":"reset_var","var_name":"city"},{"typ":"pop"}"#)
        },
        Change("all clients refuse a widget", .breaking, "/terms", "widget-changed") {
            $0.replace("/terms", #""typ":"text""#, #""typ":"txet""#)
        },
        Change("a required key is gone", .breaking, "/terms", "key-removed") {
            $0.replace("/terms", #","text":"Be kind.""#, "")
        },
        Change("a page is no JSON", .breaking, "/terms", "not-json") {
            $0.on("/terms") { _, _ in ComparedApp.response("{\"page\":{") }
        },
        Change("a page is no page", .breaking, "/terms", "no-page") {
            $0.on("/terms") { _, _ in ComparedApp.response("{}") }
        },
        Change("a page has another media type", .breaking, "/terms", "content-type-changed") {
            $0.change("/terms") { $0.headers[.contentType] = "application/json" }
        },
        Change("the session's cookie isn't set", .breaking, "/", "cookie-removed") {
            $0.change("/") { $0.headers[.setCookie] = nil }
        },
        Change("two inputs of one variable", .breaking, "/sign_up", "variable-changed") {
            $0.replace("/sign_up", #""var_name":"city""#, #""var_name":"name""#)
        },
        // Visible
        Change("another text", .visible, "/", "value-changed") { $0.replace("/", "Welcome", "Hello") },
        Change("another initial value", .visible, "/sign_up", "value-changed") {
            $0.replace("/sign_up", "Ann", "Bob")
        },
        Change("a widget more", .visible, "/terms", "widget-added") {
            $0.replace("/terms", #"{"typ":"text""#, #"{"typ":"text","text":"New."},{"typ":"text""#)
        },
        Change("a widget less", .visible, "/items", "widget-removed") {
            $0.replace("/items", #"{"typ":"text","text":"Pears"},"#, "")
        },
        Change("another kind of widget", .visible, "/about", "widget-changed") {
            $0.replace("/about", Shop.text("Since ever."), Shop.push("Since ever.", "/terms"))
        },
        Change("another order", .visible, "/items", "order-changed") {
            $0.replace(
                "/items",
                Shop.text("Apples") + "," + Shop.text("Pears"),
                Shop.text("Pears") + "," + Shop.text("Apples")
            )
        },
        Change("a link leads elsewhere", .visible, "/", "target-changed") {
            $0.replace("/", #""page":"/about""#, #""page":"/terms""#)
        },
        Change("an action less", .visible, "/sign_up", "action-removed") {
            $0.replace("/sign_up", #",{"typ":"pop"}"#, "")
        },
        Change("an action more", .visible, "/sign_up", "action-added") {
            $0.replace("/sign_up", #"{"typ":"pop"}"#, #"{"typ":"poll"},{"typ":"pop"}"#)
        },
        Change("an input more", .visible, "/sign_up", "variable-added") {
            $0.replace(
                "/sign_up",
                #"{"typ":"checkbox""#,
                #"{"typ":"textfield","var_name":"zip","label":"ZIP"},{"typ":"checkbox""#
            )
        },
        Change("a key less", .visible, "/", "key-removed") { $0.replace("/", #""sub_text":"Us","#, "") },
        Change("another kind of page", .visible, "/about", "page-changed") {
            $0.page("/about", #"{"typ":"plain_page","title":"About","widget":\#(Shop.text("We sell things."))}"#)
        },
        Change("another picture", .visible, "/", "picture-changed") {
            $0.on("/logo.png") { _, _ in ComparedApp.response("another", "image/png") }
        },
        Change("another text of a refusal", .visible, "/account", "error-text-changed") {
            $0.on("/account") { _, _ in .text("Please log in.", status: .forbidden) }
        },
        Change("another redirect", .visible, "/old", "redirect-changed") {
            $0.on("/old") { _, _ in Response(status: .found, headers: [.location: "/about"]) }
        },
        Change("a page that isn't refused any more", .visible, "/account", "status-changed") {
            $0.page("/account", Shop.page("Account", Shop.text("Hi")))
        },
        Change("another interval of polling", .visible, "/items", "value-changed") {
            $0.replace("/items", "60", "30")
        },
        // Neutral
        Change("a key that clients pass over", .neutral, "/terms", "key-added") {
            $0.replace("/terms", #""typ":"text""#, #""typ":"text","id":"t1""#)
        },
        Change("a key that says what clients assume anyway", .neutral, "/items", "key-added") {
            $0.replace("/items", #""poll_seconds":60"#, #""poll_seconds":60,"ephemeral":false"#)
        },
        Change("a header field less", .neutral, "/", "cache-control-changed") {
            $0.change("/") { $0.headers[.cacheControl] = nil }
        },
        Change("a cookie more", .neutral, "/terms", "cookie-added") {
            $0.change("/terms") { $0.headers[.setCookie] = "theme=dark; Max-Age=100" }
        },
    ]

    @Test(arguments: changes)
    func `Each change is found, and of its class`(change: Change) async throws {
        let report = try await TwoServers(Shop.app, Shop.app.with(change.make)).diff {
            $0.callsRPCs = true
            // The app has no clock.
            $0.pause = .zero
        }
        let own = report.differences.filter { $0.finding.path.page == change.page && $0.finding.rule == change.rule }
        #expect(own.contains { $0.kind == change.kind }, "\(report)")
        #expect(report.differences.map(\.kind).max() == change.kind, "\(report)")
        // Another redirect leads to another page, which differs too.
        #expect(report.differences.count <= (change.rule == "redirect-changed" ? 4 : 3), "\(report)")
        #expect(report.end == nil)
        #expect(report.unstable == [])
    }

    @Test func `The shop equals itself`() async throws {
        let report = try await TwoServers(Shop.app, Shop.app).diff { $0.callsRPCs = true }
        #expect(report.isClean, "\(report)")
        #expect(report.pages.count == 8)
    }

    @Test func `A page that only B leads to is looked at, and judged`() async throws {
        func other(_ response: String?) -> ComparedApp {
            Shop.app.with {
                $0.replace("/terms", Shop.text("Be kind."), Shop.text("Be kind.") + "," + Shop.push("More", "/more"))
                if let response { $0.page("/more", response) }
            }
        }
        var report = try await TwoServers(Shop.app, other(Shop.page("More", Shop.text("More")))).diff()
        #expect(
            report.found.filter { !$0.contains("/old") } == [
                "visible /terms widget-added", "neutral /more page-added",
            ],
            "\(report)"
        )
        report = try await TwoServers(Shop.app, other(nil)).diff()
        #expect(
            report.found.filter { !$0.contains("/old") } == [
                "visible /terms widget-added", "breaking /more dead-link",
            ],
            "\(report)"
        )
        report = try await TwoServers(Shop.app, other(#"{"typ":"nav_page","title":"T"}"#)).diff()
        #expect(report.isBreaking, "\(report)")
    }

    @Test func `Clients that were refused and are welcome now`() async throws {
        let old = Shop.app.with {
            $0.replace("/sign_up", #"{"typ":"pop"}"#, #"{"typ":"reset_var","var_name":"city"},{"typ":"pop"}"#)
        }
        let report = try await TwoServers(old, Shop.app).diff()
        #expect(report.found.contains("neutral /sign_up version-accepted"), "\(report)")
        #expect(!report.isBreaking)
    }

    @Test func `Only some classes are reported where that is asked for`() async throws {
        let other = Shop.app.with {
            $0.replace("/", "Welcome", "Hello")
            $0.remove("/terms")
        }
        let report = try await TwoServers(Shop.app, other).diff { $0.least = .breaking }
        #expect(Set(report.differences.map(\.kind)) == [.breaking], "\(report)")
        #expect(report.found.contains("breaking /terms page-gone"))
        #expect(report.json["breaking"]?.number?.int64 == Int64(report.differences.count))
        #expect(report.findings.allSatisfy { $0.severity == .error })
    }

    @Test func `Each cookie and header field of a page that differs is listed`() async throws {
        func app(_ cookies: [String], _ fields: [String]) -> ComparedApp {
            Shop.app.with { app in
                app.change("/terms") { response in
                    for cookie in cookies { response.headers.append(HTTPField(name: .setCookie, value: cookie)) }
                    for name in fields.compactMap({ HTTPField.Name($0) }) { response.headers[name] = "x" }
                }
            }
        }
        let a = app(["one=1", "two=1", "three=1", "four=1"], ["X-One", "X-Two"])
        let report = try await TwoServers(a, app(["three=1; Path=/", "four=1; Path=/"], [])).diff()
        #expect(
            report.differences.filter { $0.finding.path.page == "/terms" }.map(\.finding.rule) == [
                "cookie-removed", "cookie-removed", "cookie-changed", "cookie-changed", "header-removed",
                "header-removed",
            ],
            "\(report)"
        )
    }
}
