import Backlot
import Floki

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
