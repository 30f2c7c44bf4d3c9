internal import Applin
package import Backlot

/// The state of an Applin client, and all that it decides: a value without I/O, without a clock and without cookies.
///
/// It begins steps, says what the server must be asked, and takes in the results. ``ApplinClient`` executes it over a transport; a
/// load keeps very many, which share the pages that they show.
package struct ApplinClientState: Sendable {
    /// What follows from a step or a response.
    package enum Next {
        /// The step is over.
        case done
        /// The step can't be done with what is on the screen; the text says why.
        case impossible(String)
        /// The server must be asked; the result comes back by ``ApplinClientState/take(_:now:)``.
        case ask(Question)
    }

    /// Something that the server must be asked.
    package struct Question {
        package enum Kind {
            /// A page comes back.
            case page
            /// Nothing but a status comes back.
            case rpc
            /// A photo is sent, and nothing but a status comes back.
            case upload
        }

        package let kind: Kind
        /// The path below the app's base URL.
        package let path: String
        /// The variables to be sent; nil for none.
        package var variables: JSONObject?
        /// Whether the client asks by itself, and nobody waits.
        package var isBackground = false
    }

    /// What is waited for.
    enum Wait {
        case nothing
        case action(ActionList.Question, ActionList)
        /// A page whose inputs are to be validated.
        case validation(String, ActionList, ActionList.Question)
        /// The visible page, before an error is shown.
        case poll(String, ActionList, ShownError)
        case upload(ActionList)
        /// A page that refreshes itself, and others that are due after it.
        case refresh(String, ArraySlice<String>, hasFailed: Bool, jitter: Double)
    }

    /// A page on the stack.
    struct Entry: Sendable {
        let path: String
        var page: PageContents
        /// When it was loaded or refreshed last, in milliseconds of the client's clock.
        var updated: Int64
        /// What its text fields show, by their variables. Clients keep a field while the page is on the stack, and so its text, whatever
        /// the page says anew.
        var texts: [String: String] = [:]
        /// What its last_error_text shows: the error of the time when it came. nil without one.
        var errorDetails: String?
    }

    /// A layer in front of the page; nothing else can be touched while it is there.
    enum Layer: Sendable {
        case none
        case modal(PageAction.Modal)
        /// The client lets the person take or choose a photo, and then goes on with a list of actions.
        case photoPicker(UploadInHand)
    }

    /// A list of actions that waits for a photo.
    struct UploadInHand: Sendable {
        let url: String
        let aspectRatio: Double?
        let list: ActionList
    }

    /// Whether steps that several widgets fit take the first of them, and an app may be launched again: for loads.
    package var isLenient = false
    /// The page that the app begins with.
    package var firstPage = "/"
    var wait = Wait.nothing
    /// Whether a log-out wants the session's cookie to be forgotten.
    var hasLoggedOut = false

    /// The pages, the visible one last. Never empty once the app was launched.
    private(set) var stack: [Entry] = []
    /// The variables that are set. They belong to the app, not to a page.
    var variables: [String: JSONValue] = [:]
    var layer = Layer.none
    var lastError: ShownError?
    var clipboard: String?
    var launchedURLs: [String] = []
    /// Milliseconds since the client was made.
    package internal(set) var now: Int64 = 0
    var polls = PollSchedule(now: 0)

    /// The client's version, which decides how variables are sent.
    var client: ClientVersion = Dialect.objects.versions.upperBound

    /// A client whose app isn't launched.
    package init() {}

    /// Whether the app is launched.
    package var isLaunched: Bool { !stack.isEmpty }
    /// The visible page's path; empty before the launch.
    package var path: String { top?.path ?? "" }

    /// The visible page.
    var top: Entry? { stack.last }

    /// The page on the stack with that path.
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

    /// Shows the pages that were there before a link into the app failed.
    mutating func bringBack(_ stack: [Entry]) { self.stack = stack }

    /// Puts a new version of a page in the place of the old one; nothing happens when the page has gone meanwhile.
    mutating func update(_ path: String, _ page: PageContents) {
        guard let index = stack.firstIndex(where: { $0.path == path }) else { return }
        var entry = stack[index]
        show(page, in: &entry)
        (entry.page, entry.updated) = (page, now)
        stack[index] = entry
    }

    /// Shows a page that has come in the widgets of the one before. A field belongs to its variable; for a variable that is new, the
    /// client takes the first field that is left over in the same parent, and its text with it.
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

    /// What a text field of the visible page shows; nil for another widget.
    func shownText(_ widget: PageWidget) -> String? {
        widget.typ == "textfield" ? widget.inputs.first.flatMap { top?.texts[$0.name] } : nil
    }

    /// Somebody types into a text field of the visible page.
    mutating func enter(_ text: String, into field: PageWidget) {
        guard let input = field.inputs.first else { return }
        variables[input.name] = .string(text)
        stack[stack.count - 1].texts[input.name] = text
    }

    /// Keeps an error and shows its page, unless that is on the stack already.
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

    /// Brings back the stack when a client starts: the pages that were there, none of them loaded. The layer in front of the
    /// page is gone, and so are refreshes that inputs had asked for.
    ///
    /// - Parameter paths: the paths of the pages, the one to be visible last.
    mutating func start(with paths: [String]) {
        stack = paths.map { path in
            // One that isn't loaded has never been refreshed, so that it is due at once.
            Entry(path: path, page: StaticPages.page(path) ?? StaticPages.placeholder, updated: -.max / 2)
        }
        layer = .none
        polls = PollSchedule(now: now)
    }

    /// The paths that are kept when the app ends: those below the first ephemeral page.
    var restorablePaths: [String] {
        stack.prefix { !$0.page.isEphemeral }.map(\.path)
    }
}

extension ApplinClientState {
    /// The value that an input shows and sends: the variable, or while that is unset, the initial value.
    func value(of input: PageInput) -> JSONValue { variables[input.name] ?? input.initial }

    /// The body of a POST from a page: an entry for each of its inputs; nil for a page without inputs.
    ///
    /// - Throws: an error of the app where the names of the variables contradict each other: a client can't send them.
    func variables(of path: String) throws(ShownError) -> JSONObject? {
        guard let inputs = entry(path)?.page.inputs, !inputs.isEmpty else { return nil }
        var sent = SentVariables(for: client)
        for input in inputs {
            let value = value(of: input)
            // A page that shares the variable may have set it to another type; then it isn't sent.
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

/// Variables as they go into the body of a POST: clients since 0.34 put `name#key` into an object and `name%item` into an array;
/// earlier ones send all names as they stand.
package struct SentVariables {
    package private(set) var object: JSONObject = [:]
    private let isNested: Bool

    /// The variables that a client sends.
    package init(for client: ClientVersion) {
        isNested = client >= InputRules.firstNestingClient
    }

    package var isEmpty: Bool { object.count == 0 }

    /// Adds a variable.
    ///
    /// - Returns: false where the client fails: names contradict each other, or can't be divided.
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
            // The item is there whatever its input holds.
            object[key] = .array(items + [.string(item)])
        }
        return true
    }
}

extension JSONValue {
    fileprivate func hasType(of other: JSONValue) -> Bool { (bool != nil) == (other.bool != nil) }
}

extension JSONObject {
    /// The bytes that the iOS client sends: a slash is escaped. Backends that don't read JSON properly trip over it.
    package var requestBody: [UInt8] {
        let bytes = JSONValue.object(self).bytes
        guard bytes.contains(UInt8(ascii: "/")) else { return bytes }
        // A slash can only stand in a string.
        return bytes.flatMap { $0 == UInt8(ascii: "/") ? [UInt8(ascii: "\\"), $0] : [$0] }
    }
}

/// Why a step can't be done.
struct BareStepError: Error {
    let text: String

    init(_ text: String) {
        self.text = text
    }
}
