package import BacklotJSON

/// The state of a client, as far as it shows: a value without I/O.
struct AppState: Sendable {
    /// A page on the stack.
    struct Entry: Sendable {
        let path: String
        var page: PageContents
        /// When it was loaded or refreshed last, in milliseconds of the client's clock.
        var updated: Int64
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
        let list: ActionList
    }

    /// The pages, the visible one last. Never empty once the app was launched.
    private(set) var stack: [Entry] = []
    /// The variables that are set. They belong to the app, not to a page.
    var variables: [String: JSONValue] = [:]
    var layer = Layer.none
    var lastError: ShownError?
    var clipboard: String?
    var launchedURLs: [String] = []
    /// Milliseconds since the client was made.
    var now: Int64 = 0
    var polls = PollSchedule(now: 0)

    /// The visible page.
    var top: Entry? { stack.last }

    /// The page on the stack with that path.
    func entry(_ path: String) -> Entry? { stack.first { $0.path == path } }

    mutating func push(_ path: String, _ page: PageContents) throws(ShownError) {
        guard entry(path) == nil else {
            throw ShownError(.app, "The app pushed \(path), which is on the stack already.")
        }
        stack.append(Entry(path: path, page: page, updated: now))
    }

    mutating func pop() throws(ShownError) {
        guard stack.count > 1 else { throw ShownError(.app, "The app popped its last page.") }
        stack.removeLast()
    }

    mutating func replaceAll(_ path: String, _ page: PageContents) {
        stack = [Entry(path: path, page: page, updated: now)]
    }

    /// Puts a new version of a page in the place of the old one; nothing happens when the page has gone meanwhile.
    mutating func update(_ path: String, _ page: PageContents) {
        guard let index = stack.firstIndex(where: { $0.path == path }) else { return }
        stack[index].page = page
        stack[index].updated = now
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

extension AppState {
    /// The value that an input shows and sends: the variable, or while that is unset, the initial value.
    func value(of input: PageInput) -> JSONValue { variables[input.name] ?? input.initial }

    /// The body of a POST from a page: an entry for each of its inputs; nil for a page without inputs.
    ///
    /// - Throws: an error of the app where two inputs have one variable: a client can't send them.
    func variables(of path: String) throws(ShownError) -> JSONObject? {
        guard let inputs = entry(path)?.page.inputs, !inputs.isEmpty else { return nil }
        var names: Set<String> = []
        var sent = SentVariables()
        for input in inputs {
            guard names.insert(input.name).inserted else {
                throw ShownError(.app, "The page \(path) has two inputs for the variable '\(input.name)'.")
            }
            let value = value(of: input)
            // A page that shares the variable may have set it to another type; then it isn't sent.
            guard value.hasType(of: input.initial) else { continue }
            sent.add(input.name, value)
        }
        return sent.isEmpty ? nil : sent.object
    }
}

/// Variables as they go into the body of a POST: `name#key` into an object, `name%item` into an array.
package struct SentVariables {
    package private(set) var object: JSONObject = [:]

    package init() {}

    package var isEmpty: Bool { object.count == 0 }

    package mutating func add(_ name: String, _ value: JSONValue) {
        guard let mark = name.firstIndex(where: { $0 == "#" || $0 == "%" }) else {
            object[name] = value
            return
        }
        let key = String(name[..<mark])
        let rest = String(name[name.index(after: mark)...])
        if name[mark] == "#" {
            var entries = object[key]?.object ?? [:]
            entries[rest] = value
            object[key] = .object(entries)
        } else {
            // The item is there whatever its input holds.
            object[key] = .array((object[key]?.array ?? []) + [.string(rest)])
        }
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
