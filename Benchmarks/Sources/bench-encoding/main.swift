import Applin
import BacklotJSON
import Foundation

// Builds a page and makes its bytes, with Backlot and with JSONEncoder, and prints what each takes: one JSON object a line,
// {"name":"backlot small","ns":1234}. All four are measured in turns, and the fastest of many rounds counts, so that
// other work on the machine does not decide the ratio.

let encoder = JSONEncoder()
encoder.outputFormatting = .withoutEscapingSlashes

// Faster is worth nothing if it isn't the same.
let pairs = [
    (smallPage().responseBody(), try encoder.encode(smallPeer())),
    (largePage().responseBody(), try encoder.encode(largePeer())),
]
for (ours, theirs) in pairs {
    guard try JSONValue(parsing: ours) == JSONValue(parsing: Array(theirs)) else {
        fatalError(
            "the two outputs differ:\n\(String(decoding: ours, as: UTF8.self))\n\(String(decoding: theirs, as: UTF8.self))"
        )
    }
}

/// Nanoseconds for one page, on average over a round. `make` returns the number of bytes, for none of the work to be left out.
func measure(pages: Int, _ make: () throws -> Int) rethrows -> Double {
    var bytesMade = 0
    let start = ContinuousClock.now
    for _ in 0..<pages {
        bytesMade += try make()
    }
    let duration = ContinuousClock.now - start
    precondition(bytesMade > pages)
    return duration / .nanoseconds(pages)
}

var best = [Double](repeating: .infinity, count: 4)
for _ in 0..<40 {
    best[0] = min(best[0], measure(pages: 2000) { smallPage().responseBody().count })
    best[1] = min(best[1], measure(pages: 100) { largePage().responseBody().count })
    best[2] = min(best[2], try measure(pages: 200) { try encoder.encode(smallPeer()).count })
    best[3] = min(best[3], try measure(pages: 10) { try encoder.encode(largePeer()).count })
}

for (name, nanoseconds) in zip(["backlot small", "backlot large", "jsonencoder small", "jsonencoder large"], best) {
    var line = JSONWriter()
    line.object {
        $0.field("name", name)
        $0.field("ns", nanoseconds.rounded())
    }
    print(String(decoding: line.bytes, as: UTF8.self))
}
