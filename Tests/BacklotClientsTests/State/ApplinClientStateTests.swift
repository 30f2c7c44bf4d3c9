import BacklotJSON
import Testing

@testable import Applin
@testable import BacklotClients

/// The stack, the variables, and lists of actions: without a server.
@Suite(.timeLimit(.minutes(5))) struct ApplinClientStateTests {
    private func makeState(_ pages: (String, PageContents)...) throws -> ApplinClientState {
        var state = ApplinClientState()
        for (path, page) in pages { try state.push(path, page) }
        return state
    }

    private let page = PageContents.make([])

    // MARK: The stack

    @Test func `A page is on the stack once, and the last one stays`() throws {
        var state = try makeState(("/", page), ("/a", page))
        let twice = #expect(throws: ShownError.self) { try state.push("/", page) }
        #expect(twice?.kind == .app)
        try state.pop()
        let last = #expect(throws: ShownError.self) { try state.pop() }
        #expect(last == ShownError(.app, "The app popped its last page."))
        #expect(state.stack.map(\.path) == ["/"])
    }

    @Test(arguments: ShownErrorKind.allCases)
    func `An error has a page of its own, which is shown once`(kind: ShownErrorKind) throws {
        var state = try makeState(("/", page))
        state.show(ShownError(kind, "one"))
        state.show(ShownError(kind, "two"))
        #expect(state.stack.count == 2)
        #expect(state.lastError?.text == "two")
        #expect(ShownError.kind(shownBy: try #require(state.top?.path)) == kind)
        #expect(state.restorablePaths == ["/"])
    }

    @Test func `What is above an ephemeral page is not restored either`() throws {
        let ephemeral = PageContents.make([], more: ["ephemeral": true])
        let state = try makeState(("/", page), ("/a", page), ("/e", ephemeral), ("/b", page))
        #expect(state.restorablePaths == ["/", "/a"])
    }

    @Test func `Pages are due by their own interval, the visible one first`() throws {
        func polled(_ seconds: JSONValue) -> PageContents { .make([], more: ["poll_seconds": seconds]) }
        var state = try makeState(("/", polled(5)), ("/a", page), ("/b", polled(2)))
        #expect(state.duePages == [])
        state.now = 1999
        #expect(state.duePages == [])
        state.now = 2000
        #expect(state.duePages == ["/b"])
        state.now = 5000
        #expect(state.duePages == ["/b", "/"])
        state.update("/b", polled(2))
        #expect(state.duePages == ["/"])
    }

    @Test func `After a start no page is loaded, and all are due`() throws {
        var state = try makeState(("/", page))
        state.layer = .modal(PageAction.Modal(title: "", message: nil, buttons: []))
        state.polls.schedule(after: 100, now: 0)
        state.now = 10_000
        state.start(with: ["/a", "/support", "/b"])
        #expect(state.stack.map(\.page.title) == ["Page Not Loaded", "Support", "Page Not Loaded"])
        #expect(state.duePages == ["/b", "/a"])
        if case .none = state.layer {} else { Issue.record("something is in front of the page") }
        #expect(state.polls.next(until: 20_000) == .pass(at: 11_000))
    }

    @Test func `The client's own pages are those that the rules know of`() {
        #expect(StaticPages.paths.count == 9)
        for path in StaticPages.paths { #expect(PageRules.clientPages.contains(path), "\(path)") }
    }

    // MARK: Variables

    @Test func `A POST has an entry for every input, and none for other variables`() throws {
        var state = try makeState(
            (
                "/",
                .make([
                    ["typ": "textfield", "var_name": "a"], ["typ": "checkbox", "var_name": "b", "initial_bool": true],
                    ["typ": "textfield", "var_name": "c", "initial_string": "x"],
                ])
            )
        )
        state.variables = ["c": "", "elsewhere": "y"]
        #expect(try state.variables(of: "/") == ["a": "", "b": true, "c": ""])
        #expect(try state.variables(of: "/other") == nil)
    }

    @Test func `A page without inputs has no variables, so that it is loaded by GET`() throws {
        var state = try makeState(("/", page))
        state.variables = ["a": "b"]
        #expect(try state.variables(of: "/") == nil)
    }

    @Test func `Names with # make objects, and those with % make arrays`() throws {
        var state = try makeState(
            (
                "/",
                .make([
                    ["typ": "textfield", "var_name": "o#x"], ["typ": "textfield", "var_name": "o#y"],
                    ["typ": "checkbox", "var_name": "l%one"],
                    ["typ": "checkbox", "var_name": "l%two", "initial_bool": true],
                    ["typ": "checkbox", "var_name": "m%a#b"],
                ])
            )
        )
        state.variables = ["o#x": "1", "l%two": false]
        #expect(
            try state.variables(of: "/") == ["o": ["x": "1", "y": ""], "l": ["one", "two"], "m": ["a#b"]]
        )
    }

    @Test func `A variable of another type isn't sent`() throws {
        var state = try makeState(
            (
                "/",
                .make([
                    ["typ": "checkbox", "var_name": "a"], ["typ": "textfield", "var_name": "b"],
                ])
            )
        )
        state.variables = ["a": "text"]
        #expect(try state.variables(of: "/") == ["b": ""])
        state.variables["b"] = true
        #expect(try state.variables(of: "/") == nil)
    }

    @Test func `Two inputs for one variable can't be sent`() throws {
        let state = try makeState(
            (
                "/",
                .make([
                    ["typ": "textfield", "var_name": "a"], ["typ": "textfield", "var_name": "a"],
                ])
            )
        )
        let error = #expect(throws: ShownError.self) { try state.variables(of: "/") }
        #expect(error == ShownError(.app, "The page / has two inputs for the variable 'a'."))
    }

    @Test func `The body escapes slashes, as the iOS client does`() {
        let object: JSONObject = ["a/b": "c/d", "e": true]
        #expect(String(decoding: object.requestBody, as: UTF8.self) == #"{"a\/b":"c\/d","e":true}"#)
    }

    // MARK: Lists of actions

    private func steps(_ actions: [PageAction], _ state: inout ApplinClientState) -> [ActionList.Step] {
        var list = ActionList(actions)
        var steps: [ActionList.Step] = []
        while let step = list.next(&state) { steps.append(step) }
        return steps
    }

    @Test func `Actions are taken in their order`() throws {
        var state = try makeState(("/", page), ("/a", page))
        let steps = steps(
            [.poll, .push("/b"), .rpc("/c", pollsOnUserError: true), .pop, .poll, .replaceAll("/d")],
            &state
        )
        let expected: [ActionList.Step] = [
            .ask(.poll("/a")), .ask(.push("/b")), .ask(.rpc("/c", pollsOnUserError: true)), .done,
            // The page that is visible after `pop`.
            .ask(.poll("/")), .ask(.replaceAll("/d")),
        ]
        #expect(steps == expected)
    }

    @Test func `What needs no server is done at once`() throws {
        var state = try makeState(("/", page))
        state.variables = ["a": "1", "b": "2"]
        state.lastError = ShownError(.user, "no")
        let first = steps([.copyToClipboard("text"), .launchURL("tel:1"), .launchURL("tel:2"), .resetVar("a")], &state)
        #expect(first == [.done, .done, .done, .done])
        #expect(state.clipboard == "text")
        #expect(state.launchedURLs == ["tel:1", "tel:2"])
        #expect(state.variables == ["b": "2"])
        #expect(steps([.logout], &state) == [.logout])
        #expect(state.variables == [:])
        #expect(state.lastError == nil)
        #expect(state.stack.map(\.path) == ["/"])
    }

    @Test func `stop_actions and a modal stop, a pop of the last page fails, a photo is waited for`() throws {
        var state = try makeState(("/", page))
        var list = ActionList([.stopActions, .pop])
        #expect(list.next(&state) == .stop)
        let modal = PageAction.Modal(title: "?", message: nil, buttons: [])
        list = ActionList([.modal(modal), .pop])
        #expect(list.next(&state) == .stop)
        guard case .modal(modal) = state.layer else {
            Issue.record("no modal")
            return
        }
        list = ActionList([.pop])
        #expect(list.next(&state) == .fail(ShownError(.app, "The app popped its last page.")))
        list = ActionList([.takePhoto("/p"), .poll])
        #expect(list.next(&state) == .photo(url: "/p", aspectRatio: nil))
        #expect(list.next(&state) == .ask(.poll("/")))
        #expect(list.next(&state) == nil)
    }

    @Test func `The page is polled after errors of users where the rpc or the list says so`() {
        let (user, server) = (ShownError(.user, ""), ShownError(.server, ""))
        let flagged = ActionList.Question.rpc("/a", pollsOnUserError: true)
        let plain = ActionList.Question.rpc("/a", pollsOnUserError: false)
        let objects = ActionList([.rpc("/a", pollsOnUserError: true)])
        #expect(objects.polls(after: user, of: flagged))
        #expect(!objects.polls(after: user, of: plain))
        #expect(!objects.polls(after: server, of: flagged))
        let documented = ActionList([.rpc("/a", pollsOnUserError: false), .onUserErrorPoll])
        #expect(documented.polls(after: user, of: plain))
        #expect(documented.polls(after: user, of: .push("/b")))
        #expect(!documented.polls(after: server, of: plain))
    }
}
