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

    /// A description for the start-up lines.
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

/// The demo's data in memory. All mounts share them.
struct DemoStores: Sendable {
    /// The pictures that were sent.
    var photos = PhotoAlbum()
    /// The notes app's notes.
    var notes: any NoteStore = MemoryNoteStore()
    /// The notes app's users.
    var accounts: any AccountStore = MemoryAccountStore()
    /// How often a page has been polled.
    var polls = PollCounter()
    /// The values of the checkbox buttons.
    var switches = Switches()
    /// The Xpedite app's customers.
    var customers = CustomerStore()
    /// The Floki app, with its stories and pictures.
    var gazette = GazetteApp(store: GazetteStock.memoryStore())
    /// Who may work in its newsroom: nobody, unless it is set.
    var desk = DeskAccess()
    /// The file that keeps the Floki app's version; nil for the store of its feeds.
    var flokiRecord: RecordFile?
    /// The sessions; each belongs to one mount.
    var sessions: any SessionStore = MemorySessionStore()
}
