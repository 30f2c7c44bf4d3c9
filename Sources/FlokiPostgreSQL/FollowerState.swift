/// What a ``FeedFollower`` has to read, and whether it hears of changes.
package struct FollowerState {
    /// What is to be read.
    package struct Work: Equatable {
        /// The number of the connection, if everything that happened before it is to be read.
        package var connection: Int?
        /// Up to which revisions the changes of feeds are to be read.
        package var feeds: [String: Int]

        package init(connection: Int? = nil, feeds: [String: Int] = [:]) {
            self.connection = connection
            self.feeds = feeds
        }
    }

    private var connection = 0
    private var isConnected = false
    private var mustCatchUp = false
    private var feeds: [String: Int] = [:]

    package init() {}

    /// Notes a new connection, before which anything may have happened.
    package mutating func connect() {
        connection += 1
        isConnected = true
        mustCatchUp = true
    }

    /// Notes that the connection is lost.
    package mutating func disconnect() { isConnected = false }

    /// Notes that a feed has a revision.
    package mutating func note(_ revision: Int, of feed: String) { feeds[feed] = max(feeds[feed] ?? 0, revision) }

    /// Takes what is to be read now. Without a connection, nobody catches up: what happens afterwards would be missed.
    package mutating func takeWork() -> Work {
        let work = Work(connection: mustCatchUp && isConnected ? connection : nil, feeds: feeds)
        if work.connection != nil { mustCatchUp = false }
        feeds = [:]
        return work
    }

    /// Notes what couldn't be read.
    package mutating func putBack(_ work: Work) {
        if work.connection != nil { mustCatchUp = true }
        for (feed, revision) in work.feeds { note(revision, of: feed) }
    }

    /// Whether a connection is still there.
    package func isConnected(_ connection: Int) -> Bool { isConnected && connection == self.connection }
}
