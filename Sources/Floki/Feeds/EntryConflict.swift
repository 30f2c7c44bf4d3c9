/// The error for an entry that another editor changed first. Nothing was stored.
public struct EntryConflict<Entry: FeedEntry>: Error, CustomStringConvertible {
    /// The entry that was to be stored.
    public let yours: Entry
    /// The stored entry; nil if it was removed.
    public let theirs: Entry?
    /// The code of the language; nil for a feed that all languages share.
    public let language: String?

    /// A message that tells editors to merge the changes and save again.
    public var description: String {
        let place = language.map { " in '\($0)'" } ?? ""
        let what = theirs == nil ? "has been removed" : "has been changed"
        return "entry \(yours.id)\(place) \(what) since it was read: merge the changes, and save it again"
    }
}
