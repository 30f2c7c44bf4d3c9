#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Properties of all entries.
extension FeedEntry {
    /// The place in the feed, 1 to 2⁵³ − 1: entries with higher numbers come first. nil for the id.
    public var sortID: Int? {
        get { traits.sortID }
        set { traits.sortID = newValue }
    }

    /// The sections that show the entry. In a feed with sections, every entry needs one.
    public var sectionIDs: [Int] {
        get { traits.sectionIDs }
        set { traits.sectionIDs = newValue }
    }

    /// When the entry ends, in whole seconds; nil for never.
    public var expirationDate: Date? {
        get { traits.expirationDate == 0 ? nil : Date(timeIntervalSince1970: Double(traits.expirationDate)) }
        set { traits.expirationDate = newValue?.clampedSeconds ?? 0 }
    }

    /// The address on the web, for people to share: an absolute URL.
    public var shareURL: String? {
        get { traits.shareURL }
        set { traits.shareURL = newValue }
    }

    /// Whether clients fetch what the entry opens each time, instead of storing it.
    public var isOnline: Bool {
        get { traits.isOnline }
        set { traits.isOnline = newValue }
    }

    /// The tags of the entry.
    public var tags: [String] {
        get { traits.tags }
        set { traits.tags = newValue }
    }

    /// The view that the entry opens instead of a page or a picture: a feed, a web page or a movie.
    public var controller: (any ViewController)? {
        get { traits.controller }
        set { traits.controller = newValue }
    }

    /// Whether readers see the entry once it is saved.
    public var publication: StoredEntry.Publication {
        get { traits.publication }
        set { traits.publication = newValue }
    }

    /// The revision of the feed at which the entry was saved, for ``Feed/save(_:language:replacing:)``; 0 for an entry that was not
    /// read from its feed.
    public var revision: Int { traits.revision }
}

/// Modifiers of all entries.
extension FeedEntry {
    /// Changes a copy.
    func setting<Value>(_ path: WritableKeyPath<Self, Value>, _ value: Value) -> Self {
        var copy = self
        copy[keyPath: path] = value
        return copy
    }

    /// The place in the feed, 1 to 2⁵³ − 1: entries with higher numbers come first. The id by default.
    public func sortID(_ id: Int) -> Self { setting(\.traits.sortID, id) }
    /// The sections that show the entry. In a feed with sections, every entry needs one.
    public func sections(_ sections: Section...) -> Self { setting(\.traits.sectionIDs, sections.map(\.id)) }
    /// The sections that show the entry, by their numbers.
    public func sections(_ ids: Int...) -> Self { setting(\.traits.sectionIDs, ids) }
    /// When the entry ends, in whole seconds; nil for never.
    public func expires(at date: Date?) -> Self { setting(\.expirationDate, date) }
    /// The address on the web, for people to share: an absolute URL.
    public func shareURL(_ url: String) -> Self { setting(\.traits.shareURL, url) }
    /// Keeps clients from storing what the entry opens.
    public func online(_ isOnline: Bool = true) -> Self { setting(\.traits.isOnline, isOnline) }
    /// The tags of the entry.
    public func tags(_ tags: String...) -> Self { setting(\.traits.tags, tags) }
    /// The tags of the entry.
    public func tags(_ tags: [String]) -> Self { setting(\.traits.tags, tags) }
    /// Opens a view instead of a page or a picture: a feed, a web page or a movie.
    public func opens(_ controller: any ViewController) -> Self { setting(\.traits.controller, controller) }
    /// Hides the entry from readers, until ``Feed/publish(_:language:)``. A published entry with the same id stays visible.
    public func draft() -> Self { setting(\.traits.publication, .draft) }
    /// Hides the entry from readers before a time, in whole seconds. A published entry with the same id stays visible until then.
    public func publish(at date: Date) -> Self {
        setting(\.traits.publication, .scheduled(at: date.clampedSeconds))
    }
}

extension Date {
    /// Whole seconds since 1970, from 1 on; -1 for an earlier time, since clients would read 0 as never.
    fileprivate var clampedSeconds: Int {
        let seconds = timeIntervalSince1970
        guard seconds > 0 else { return -1 }
        return max(1, Int(min(seconds, 1e15)))
    }
}
