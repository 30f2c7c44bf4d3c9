/// What a client gets of a feed, by what it says that it has.
///
/// Source: Floki server protocols, Communication of parameters to the server, has_older, to_delete and more_items_url.
enum WindowChoice {
    /// The window for a request to `main_url`: always a full one, since some clients merge and others replace.
    static func main(_ parameters: FeedParameters, _ stream: FeedStream, cacheSize: Int, now: Int) -> FeedQuery {
        FeedQuery(
            stream: stream,
            start: parameters.older.map { .after(id: $0) } ?? .newest,
            limit: cacheSize,
            now: now,
            lowest: parameters.lowest
        )
    }

    /// The window for a request to `more_items_url`; nil for none at all.
    static func older(_ parameters: FeedParameters, _ stream: FeedStream, cacheSize: Int, now: Int) -> FeedQuery? {
        parameters.lowest.map { lowest in
            FeedQuery(stream: stream, start: .below(id: lowest), limit: cacheSize, now: now, lowest: lowest)
        }
    }
}
