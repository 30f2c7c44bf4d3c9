import Floki
import FlokiSQLite

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

// Writes entries into a file for as long as it lives, and says of each when it is saved: for a test that kills it.
let arguments = CommandLine.arguments
guard arguments.count == 2 else { fatalError("usage: feed-writer FILE") }
let feed = NewsFeed("news", in: try SQLiteFeedStore(arguments[1]))
var id = 1
while true {
    // Both or neither.
    try await feed.save([item(2 * id, "Item").tags("even"), item(2 * id + 1, "Item").tags("odd")], language: "en")
    print(id)
    fflush(nil)
    id += 1
}
