import Testing

@testable import Floki

/// Changes that readers wait for.
@Suite(.timeLimit(.minutes(5))) struct FeedEventsTests {
    @Test func `A reader that is always a little behind gets all events, and few are in memory`() async {
        let journal = FeedJournal()
        let events = journal.events()
        var reader = events.makeAsyncIterator()
        func event(_ revision: Int) -> FeedEvent {
            FeedEvent(feed: "news", revision: revision, kind: .saved, id: 1, language: "en")
        }
        let distance = 3_000
        journal.tell((1...distance).map(event))
        var isInOrder = true
        for revision in distance + 1...20_000 {
            journal.tell([event(revision)])
            let next = await reader.next()
            isInOrder = isInOrder && next == event(revision - distance)
        }
        #expect(isInOrder)
        #expect((distance...2 * distance + 1).contains(events.count))
    }
}
