import Applin
import Backlot
import Floki

/// One of the apps that the demo is mounted as: the same catalogue, in a dialect.
struct DemoMount: Sendable, Equatable {
    /// As the documentation has it.
    static let documented = DemoMount(path: "/", dialect: .documented)
    /// For today's clients.
    static let objects = DemoMount(path: "/objects/", dialect: .objects)
    /// Every app that is mounted.
    static let all = [documented, objects]

    /// The path of the base URL; it begins and ends with a slash.
    let path: String
    /// How the app's clients read actions.
    let dialect: Dialect

    /// What the app is for, in the words of the start-up lines.
    var description: String {
        switch dialect {
        case .documented: "documented dialect"
        case .objects: "objects dialect, clients since 0.31"
        }
    }

    /// Where something of the app is, from the host's root. Pictures need it: clients resolve their URLs from there, and
    /// those of pages and rpcs from the base URL.
    func url(_ path: String) -> String { self.path + path.dropFirst() }
}

/// What the demo remembers for as long as it runs. All mounts share it.
struct DemoStores: Sendable {
    /// The pictures that were sent.
    var photos = PhotoAlbum()
    /// The notes app's notes.
    var notes: any NoteStore = MemoryNoteStore()
    /// The notes app's users.
    var accounts: any AccountStore = MemoryAccountStore()
    /// How often a page has been polled.
    var polls = PollCounter()
    /// What the checkbox buttons show.
    var switches = Switches()
    /// The Xpedite app's customers.
    var customers = CustomerStore()
    /// The Floki app's stories and pictures.
    var feeds: any FeedStore = StockedFeedStore()
    /// Where the Floki app's version is kept; nil forgets it when the process ends.
    var flokiRecord: RecordFile?
    /// The sessions; each belongs to one mount.
    var sessions: any SessionStore = MemorySessionStore()
}
