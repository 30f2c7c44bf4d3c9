/// Two editors have changed an entry, and the other one was first. Nothing was stored.
public struct EntryConflict<Entry: FeedEntry>: Error, CustomStringConvertible {
    /// What should have been stored.
    public let yours: Entry
    /// What is stored; nil for an entry that was removed.
    public let theirs: Entry?
    /// The code of the language; nil for a feed that all languages share.
    public let language: String?

    /// What has happened, and what to do.
    public var description: String {
        let place = language.map { " in '\($0)'" } ?? ""
        let what = theirs == nil ? "has been removed" : "has been changed"
        return "entry \(yours.id)\(place) \(what) since it was read: take over what differs, and save it once more"
    }
}
