/// An Applin app: a home page, and a log-in with messages at its fields.
extension AppTemplate {
    var applinProgram: String {
        #"""
        import Applin
        import Backlot
        import BacklotSQLite
        import BacklotService

        @main
        struct \#(name.type): ServerApp {
            static let sessionStores: [SessionStoreKind] = [.memory, .sqlite]

            struct LogIn: Decodable {
                var name: String
                var agree: Bool
            }

            /// What is wrong with a log-in: the page shows it, and the rpc refuses it.
            static let check = FormCheck(LogIn.self) { input, _ in
                var errors = FormErrors()
                if input.name.isEmpty { errors["name"] = "Enter your name." }
                if !input.agree { errors["agree"] = "Please agree first." }
                return errors
            }

            func routes(_ router: Router, _ service: ServiceContext) async throws {
                router.applin("/", dialect: .objects, sessions: service.sessions) { app in
                    app.page("/", samples: ["/", PageSample("/", user: "ann")]) { request in
                        let user = try await request.session.user
                        return navPage("\#(name.type)") {
                            scroll {
                                form {
                                    text("Hello, \(user ?? "world")!")
                                    if user == nil {
                                        navButton("Log In") { push("/log_in") }
                                    } else {
                                        formButton("Log Out") {
                                            rpc("/log_out")
                                            replaceAll("/")
                                        }
                                    }
                                }
                            }
                        }
                    }
                    app.page("/log_in", check: Self.check) { errors, _ in
                        navPage("Log In") {
                            scroll {
                                form {
                                    textfield("name").label("Name").error(errors["name"])
                                    checkbox("agree").text("I agree")
                                    if let text = errors["agree"] { errorText(text) }
                                    formButton("Log In") {
                                        rpc("/log_in/submit", onUserErrorPoll: true)
                                        replaceAll("/")
                                    }
                                }
                            }
                        }
                    }
                    app.rpc("/log_in/submit", check: Self.check) { input, request in
                        try await request.session.logIn(user: input.name)
                    }
                    app.rpc("/log_out") { request in try await request.session.logOut() }
                }
            }
        }

        """#
    }

    var applinTest: String {
        #"""
        import Backlot
        import BacklotTesting
        import Testing

        @testable import \#(name.module)

        struct \#(name.type)Tests {
            @Test func `Every page is as clients want it`() async throws {
                let report = await (try await \#(name.type).router()).check()
                #expect(!report.hasErrors, "\(report)")
            }

            @Test(arguments: ClientReach.allCases)  // in process, and over a socket
            func `A user logs in and out`(reach: ClientReach) async throws {
                try await withApplinClient(try await \#(name.type).router(), over: reach) { app in
                    try await app.launch()
                    try await app.tap("Log In")
                    try await app.tap("Log In")
                    try await app.back()
                    #expect(app.errors == ["Enter your name.", "Please agree first."])
                    try await app.enter("ann", into: "Name")
                    try await app.check("I agree")
                    try await app.tap("Log In")
                    #expect(app.texts.contains("Hello, ann!"))
                    try await app.tap("Log Out")
                    #expect(app.texts.contains("Hello, world!"))
                }
            }
        }

        """#
    }
}
