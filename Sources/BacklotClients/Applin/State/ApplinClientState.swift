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
        case refresh(String, ArraySlice<String>, jitter: Double)
    }

    /// A page on the stack.
    struct Entry: Sendable {
        let path: String
        var page: PageContents
        /// When it was loaded or refreshed last, in milliseconds of the client's clock.
        var updated: Int64
        /// What its text fields show, by their places on the page. Clients keep a field while the page is on the stack and has a
        /// text field in that place, and so its text, whatever the page says anew.
        var texts: [String: String] = [:]
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
        stack.append(Entry(path: path, page: page, updated: now, texts: texts(of: page)))
    }

    mutating func pop() throws(ShownError) {
        guard stack.count > 1 else { throw ShownError(.app, "The app popped its last page.") }
        stack.removeLast()
    }

    mutating func replaceAll(_ path: String, _ page: PageContents) {
        stack = [Entry(path: path, page: page, updated: now, texts: texts(of: page))]
    }

    /// Puts a new version of a page in the place of the old one; nothing happens when the page has gone meanwhile.
    mutating func update(_ path: String, _ page: PageContents) {
        guard let index = stack.firstIndex(where: { $0.path == path }) else { return }
        if page.hasTextFields {
            let places = Set(page.widgets.lazy.filter { $0.typ == "textfield" }.map(\.place))
            stack[index].texts = texts(of: page).merging(stack[index].texts) { _, shown in shown }
                .filter { places.contains($0.key) }
        } else {
            stack[index].texts = [:]
        }
        stack[index].page = page
        stack[index].updated = now
    }

    /// What text fields show that have just come.
    private func texts(of page: PageContents) -> [String: String] {
        guard page.hasTextFields else { return [:] }
        let fields = page.widgets.lazy.filter { $0.typ == "textfield" }
        return Dictionary(
            fields.compactMap { field in field.inputs.first.map { (field.place, value(of: $0).string ?? "") } },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// Somebody types into a text field of the visible page.
    mutating func enter(_ text: String, into field: PageWidget) {
        guard let input = field.inputs.first else { return }
        variables[input.name] = .string(text)
        stack[stack.count - 1].texts[field.place] = text
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
    private var deepNames: [String: String] = [:]

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
        let separator: Character = name.contains("%") ? "%" : "#"
        guard let mark = name.firstIndex(of: separator) else {
            if object[name] != nil { return false }
            object[name] = value
            return true
        }
        let key = String(name[..<mark])
        let rest = String(name[name.index(after: mark)...])
        if key.isEmpty || rest.allSatisfy({ $0 == separator }) { return false }
        if separator == "#" {
            let parts = name.split(separator: "#", omittingEmptySubsequences: false)
            if parts.count > 2 {
                let beginning = parts[..<2].joined(separator: "#")
                if let other = deepNames[beginning], other != name { return false }
                deepNames[beginning] = name
            }
            guard var entries = object[key].map(\.object) ?? JSONObject() else { return false }
            entries[rest] = value
            object[key] = .object(entries)
        } else {
            guard let items = object[key].map(\.array) ?? [] else { return false }
            // The item is there whatever its input holds.
            object[key] = .array(items + [.string(rest)])
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
