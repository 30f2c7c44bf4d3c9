import Applin
import Backlot
import Testing

/// Pages, rpcs and uploads as values that actions lead to.
@Suite(.timeLimit(.minutes(5))) struct AppRouteTests {
    private struct Input: Decodable, Sendable { var name: String? }

    private static let plain = PageRoute<Never>("/terms")
    private static let numbered = PageRoute<Int>("/plots/{id}")
    private static let named = PageRoute<String>("/plots/{name}/trees")

    @Test(
        arguments: [
            (push(plain), #"["push:/terms"]"#),
            (push(numbered, id: 7), #"["push:/plots/7"]"#),
            (push(named, id: "a b:c/ü{"), #"["push:/plots/a%20b%3Ac%2F%C3%BC%7B/trees"]"#),
            (replaceAll(plain), #"["replace_all:/terms"]"#),
            (replaceAll(numbered, id: -1), #"["replace_all:/plots/-1"]"#),
            (rpc(RPCRoute<Never>("/save")), #"["rpc:/save"]"#),
            (rpc(RPCRoute<Int>("/save/{id}"), id: 7, onUserErrorPoll: true), #"["rpc:/save/7","on_user_error_poll"]"#),
            (choosePhoto(UploadRoute<Never>("/photo")), #"["choose_photo:/photo"]"#),
            (
                choosePhoto(UploadRoute<Int>("/{id}/photo"), id: 7, aspectRatio: 1.5),
                #"["choose_photo:/7/photo?aspect_ratio=1.5"]"#
            ),
            (takePhoto(UploadRoute<Never>("/photo"), aspectRatio: 2), #"["take_photo:/photo?aspect_ratio=2.0"]"#),
            (takePhoto(UploadRoute<Int>("/{id}/photo"), id: 7), #"["take_photo:/7/photo"]"#),
        ] as [(any Action, String)]
    )
    func `Actions lead to values`(action: any Action, wire: String) {
        #expect(encoded(button("A") { action }) == #"{"typ":"button","text":"A","actions":\#(wire)}"#)
    }

    @Test func `Registering returns the path in the app`() async throws {
        let router = Router()
        router.applin("/app/") { app in
            let check = FormValidator(Input.self)
            app.group("/members") { members in
                let terms = members.page("/terms") { _ in navPage("Terms") { text("None.") } }
                let save = members.rpc("/save", check: check) { _, _ in }
                let water = members.rpc("/plots/{id}/water", id: Int.self) { id, _ in
                    throw UserError("Plot \(id + 1) is wet.")
                }
                let photo = members.upload("/plots/{id}/photo", id: Int.self, formats: []) { id, _ in
                    throw UserError("No photo of \(id + 1).")
                }
                let plot = members.page("/plots/{id}", id: Int.self) { id, _ in
                    navPage("\(id + 1)") {
                        button("A", rpc(water, id: id), rpc(save), push(terms), choosePhoto(photo, id: id))
                    }
                }
                let waiting = members.page("/waiting/{name}", id: String.self) { name, request in
                    _ = try await request.body.collect()
                    return navPage(name) { button("A", push(plot, id: 7), rpc(save, onUserErrorPoll: false)) }
                }
                #expect(
                    [terms.path, save.path, water.path, photo.path, plot.path, waiting.path] == [
                        "/members/terms", "/members/save", "/members/plots/{id}/water", "/members/plots/{id}/photo",
                        "/members/plots/{id}", "/members/waiting/{name}",
                    ]
                )
            }
        }
        let handler = router.handler()
        func body(_ method: HTTPRequest.Method, _ path: String) async throws -> String {
            try await handler(Request(method, path, body: [])).bodyText
        }
        #expect(
            try await body(.get, "/app/members/plots/7").hasSuffix(
                #""title":"8","widget":{"typ":"button","text":"A","actions":["rpc:/members/plots/7/water","rpc:/members/save","#
                    + #""on_user_error_poll","push:/members/terms","choose_photo:/members/plots/7/photo"]}}}"#
            )
        )
        #expect(
            try await body(.get, "/app/members/waiting/a%20b").hasSuffix(
                #""title":"a b","widget":{"typ":"button","text":"A","actions":["push:/members/plots/7","rpc:/members/save"]}}}"#
            )
        )
        await #expect(throws: UserError("Plot 8 is wet.")) { try await body(.post, "/app/members/plots/7/water") }
        await #expect(throws: UserError("No photo of 8.")) { try await body(.put, "/app/members/plots/7/photo") }
        for (method, path) in [(.get, "/plots/x"), (.post, "/plots/x/water"), (.put, "/plots/x/photo")]
            as [(HTTPRequest.Method, String)]
        {
            let error = await #expect(throws: StatusError.self) { try await body(method, "/app/members" + path) }
            #expect(error?.status == .badRequest)
            #expect(error?.reason == "the path's 'id' is \"x\": write a whole number")
        }
    }

    @Test(arguments: ["/plots", "/plots/{a}/{b}", "/plots/{rest...}"])
    func `A path without exactly one parameter has no id`(path: String) {
        let router = Router()
        router.applin("/") { app in
            app.page(path, id: Int.self, file: "App/Main.swift", line: 3) { _, _ in navPage("A") { empty() } }
        }
        let error = #expect(throws: StartupError.self) { try router.handler().prepare() }
        #expect(
            error?.problems == [
                "App/Main.swift:3: '\(path)' must have one parameter for id: Int: write one, as in /plots/{id}, or leave out id: "
                    + "and read request.parameters"
            ]
        )
    }
}
