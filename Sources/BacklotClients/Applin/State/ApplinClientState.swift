internal import Applin
package import Backlot

/// The state of an Applin client and all of its decisions: a value without I/O, clock or cookies.
///
/// It begins steps, returns the requests for the server, and takes in the results. ``ApplinClient`` executes it over a transport.
/// A load keeps many thousands of these values, which share the pages that they show.
package struct ApplinClientState: Sendable {
    /// The continuation after a step or a response.
    package enum Next {
        /// The step is over.
        case done
        /// The step isn't possible on this screen; the text is the reason.
        case impossible(String)
        /// The client must send a request; pass its result to ``ApplinClientState/take(_:now:)``.
        case ask(Question)
    }

    /// A request that the client must send to the server.
    package struct Question {
        package enum Kind {
            /// The response is a page.
            case page
            /// The response is only a status.
            case rpc
            /// The request sends a photo, and the response is only a status.
            case upload
        }

        package let kind: Kind
        /// The path below the app's base URL.
        package let path: String
        /// The variables to send; nil without variables.
        package var variables: JSONObject?
        /// Whether the client sends it in the background, without a waiting user.
        package var isBackground = false
    }

    /// The response that the client waits for.
    enum Wait {
        case nothing
        case action(ActionList.Question, ActionList)
        /// A refresh of a new page, so that the backend validates its inputs.
        case validation(String, ActionList, ActionList.Question)
        /// A refresh of the visible page, before the client shows an error.
        case poll(String, ActionList, ShownError)
        case upload(ActionList)
        /// A page that refreshes itself, and the paths of others that are due after it.
        case refresh(String, ArraySlice<String>, hasFailed: Bool, jitter: Double)
    }

    /// A page on the stack.
    struct Entry: Sendable {
        let path: String
        var page: PageContents
        /// The time of the last load or refresh, in milliseconds of the client's clock.
        var updated: Int64
        /// The shown texts of the text fields, by their variables. Clients keep a field and its text while the page is on the
        /// stack, even if a refreshed page has a new initial text.
        var texts: [String: String] = [:]
        /// The text of its last_error_text: the last error at the time when the page arrived; nil without that widget.
        var errorDetails: String?
    }

    /// A layer in front of the page. While it is open, the page can't be touched.
    enum Layer: Sendable {
        case none
        case modal(PageAction.Modal)
        /// The client lets the person take or choose a photo, and then continues with a list of actions.
        case photoPicker(UploadInHand)
    }

    /// A list of actions that waits for a photo.
    struct UploadInHand: Sendable {
        let url: String
        let aspectRatio: Double?
        let list: ActionList
    }

    /// Whether a step takes the first of several matching widgets, and an app may be launched again. Loads need both.
    package var isLenient = false
    /// The app's first page.
    package var firstPage = "/"
    var wait = Wait.nothing
    /// Whether a log-out must drop the session's cookie.
    var hasLoggedOut = false

    /// The pages, the visible one last. Never empty after the launch.
    private(set) var stack: [Entry] = []
    /// The variables that are set. They belong to the app rather than to a page.
    var variables: [String: JSONValue] = [:]
    var layer = Layer.none
    var lastError: ShownError?
    var clipboard: String?
    var launchedURLs: [String] = []
    /// The time in milliseconds since the client was created.
    package internal(set) var now: Int64 = 0
    var polls = PollSchedule(now: 0)

    /// The client's version, which decides how variables are sent.
    var client: ClientVersion = Dialect.objects.versions.upperBound

    /// Creates the state of a client before the launch.
    package init() {}

    /// Whether the app is launched.
    package var isLaunched: Bool { !stack.isEmpty }
    /// The path of the visible page; empty before the launch.
    package var path: String { top?.path ?? "" }

    /// The visible page.
    var top: Entry? { stack.last }

    /// The page on the stack with this path; nil without one.
    func entry(_ path: String) -> Entry? { stack.first { $0.path == path } }

    mutating func push(_ path: String, _ page: PageContents) throws(ShownError) {
        guard !stack.contains(where: { $0.path == path }) else {
            throw ShownError(.app, "The app pushed \(path), which is on the stack already.")
        }
        stack.append(entry(path, page))
    }

    mutating func pop() throws(ShownError) {
        guard stack.count > 1 else { throw ShownError(.app, "The app popped its last page.") }
        stack.removeLast()
    }

    mutating func replaceAll(_ path: String, _ page: PageContents) {
        stack = [entry(path, page)]
    }

    private func entry(_ path: String, _ page: PageContents) -> Entry {
        var entry = Entry(path: path, page: page, updated: now)
        show(page, in: &entry)
        return entry
    }

    /// Restores the stack from before a link into the app failed.
    mutating func bringBack(_ stack: [Entry]) { self.stack = stack }

    /// Replaces a page with its new version; does nothing if the page has left the stack.
    mutating func update(_ path: String, _ page: PageContents) {
        guard let index = stack.firstIndex(where: { $0.path == path }) else { return }
        var entry = stack[index]
        show(page, in: &entry)
        (entry.page, entry.updated) = (page, now)
        stack[index] = entry
    }

    /// Shows a new version of a page in the widgets of the old one. A field belongs to its variable. For a new variable, the
    /// client reuses the first unused field of the same parent, with its text.
    private func show(_ page: PageContents, in entry: inout Entry) {
        let hasDetails = page.widgets.contains { $0.typ == "last_error_text" }
        entry.errorDetails = hasDetails ? entry.errorDetails ?? lastError?.text ?? ShownError.noDetails : nil
        guard page.hasTextFields else { return entry.texts = [:] }
        var left = entry.texts.isEmpty ? [] : entry.page.textFields.filter { !page.variables.contains($0.input.name) }
        var texts: [String: String] = [:]
        for (parent, input) in page.textFields where texts[input.name] == nil {
            var known = input.name
            if entry.texts[known] == nil, let index = left.firstIndex(where: { $0.parent == parent }) {
                known = left.remove(at: index).input.name
            }
            texts[input.name] = entry.texts[known] ?? value(of: input).string ?? ""
        }
        entry.texts = texts
    }

    /// The shown text of a text field on the visible page; nil for other widgets.
    func shownText(_ widget: PageWidget) -> String? {
        widget.typ == "textfield" ? widget.inputs.first.flatMap { top?.texts[$0.name] } : nil
    }

    /// Types a text into a text field of the visible page.
    mutating func enter(_ text: String, into field: PageWidget) {
        guard let input = field.inputs.first else { return }
        variables[input.name] = .string(text)
        stack[stack.count - 1].texts[input.name] = text
    }

    /// Stores an error and shows its page, unless that page is already on the stack.
    mutating func show(_ error: ShownError) {
        lastError = error
        guard let page = StaticPages.page(error.page) else { return }
        try? push(error.page, page)
    }

    /// The pages that refresh themselves and are due, the visible one first.
    var duePages: [String] {
        stack.reversed().filter { entry in
            guard let seconds = entry.page.pollSeconds, StaticPages.page(entry.path) == nil else { return false }
            return entry.updated + seconds * 1000 <= now
        }
        .map(\.path)
    }

    /// Whether any page of the stack refreshes itself.
    var hasPolledPages: Bool { stack.contains { $0.page.pollSeconds != nil } }

    /// Restores the stack when a client starts. None of the pages is loaded yet, no layer is in front, and scheduled refreshes of
    /// inputs are dropped.
    ///
    /// - Parameter paths: the paths of the pages, the visible one last.
    mutating func start(with paths: [String]) {
        stack = paths.map { path in
            // A page that isn't loaded was never refreshed, and is due at once.
            Entry(path: path, page: StaticPages.page(path) ?? StaticPages.placeholder, updated: -.max / 2)
        }
        layer = .none
        polls = PollSchedule(now: now)
    }

    /// The paths to restore when the app starts again: those below the first ephemeral page.
    var restorablePaths: [String] {
        stack.prefix { !$0.page.isEphemeral }.map(\.path)
    }
}

extension ApplinClientState {
    /// The value that an input shows and sends: its variable, or the initial value while the variable is unset.
    func value(of input: PageInput) -> JSONValue { variables[input.name] ?? input.initial }

    /// The body of a POST from a page, with an entry for each of its inputs; nil for a page without inputs.
    ///
    /// - Throws: an error of the app if the names of variables contradict each other, since a client can't send them.
    func variables(of path: String) throws(ShownError) -> JSONObject? {
        guard let inputs = entry(path)?.page.inputs, !inputs.isEmpty else { return nil }
        var sent = SentVariables(for: client)
        for input in inputs {
            let value = value(of: input)
            // Another page may have set the variable to another type; then the client doesn't send it.
            guard value.hasType(of: input.initial) else { continue }
            guard sent.add(input.name, value) else {
                if inputs.count(where: { $0.name == input.name }) > 1 {
                    throw ShownError(.app, "The page \(path) has two inputs for the variable '\(input.name)'.")
                }
                throw ShownError(
                    .app,
                    "The page \(path) can't send the variable '\(input.name)': its name contradicts another, or begins or ends "
                        + "with # or %."
                )
            }
        }
        return sent.isEmpty ? nil : sent.object
    }
}

/// Builds the variables in the body of a POST. Clients since 0.34 put `name#key` into an object and `name%item` into an array;
/// earlier ones send all names unchanged.
package struct SentVariables {
    package private(set) var object: JSONObject = [:]
    private let isNested: Bool

    /// Creates an empty list of variables for a client version.
    package init(for client: ClientVersion) {
        isNested = client >= InputRules.firstNestingClient
    }

    package var isEmpty: Bool { object.count == 0 }

    /// Adds a variable.
    ///
    /// - Returns: false if the client would fail: the name contradicts another, or can't be split.
    package mutating func add(_ name: String, _ value: JSONValue) -> Bool {
        guard isNested else {
            object[name] = value
            return true
        }
        switch VariableName(name) {
        case nil: return false
        case .plain:
            if object[name] != nil { return false }
            object[name] = value
        case .entry(let key, let entry):
            guard var entries = object[key].map(\.object) ?? JSONObject() else { return false }
            entries[entry] = value
            object[key] = .object(entries)
        case .item(let key, let item):
            guard let items = object[key].map(\.array) ?? [] else { return false }
            // The array gets the item regardless of its input's value.
            object[key] = .array(items + [.string(item)])
        }
        return true
    }
}

extension JSONValue {
    fileprivate func hasType(of other: JSONValue) -> Bool { (bool != nil) == (other.bool != nil) }
}

extension JSONObject {
    /// The bytes that the iOS client sends: it escapes slashes, which breaks backends with incomplete JSON parsers.
    package var requestBody: [UInt8] {
        let bytes = JSONValue.object(self).bytes
        guard bytes.contains(UInt8(ascii: "/")) else { return bytes }
        // In JSON, a slash only occurs inside strings.
        return bytes.flatMap { $0 == UInt8(ascii: "/") ? [UInt8(ascii: "\\"), $0] : [$0] }
    }
}

/// The reason why a step is impossible, without the step and the screen.
struct BareStepError: Error {
    let text: String

    init(_ text: String) {
        self.text = text
    }
}
