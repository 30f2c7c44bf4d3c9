import Backlot
import BacklotJSON
import BacklotMocks
import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The exchanges in a file of a browser's or a proxy's: HTTP Archive 1.2, as Chrome, Firefox, Charles and mitmproxy write it.
package struct HARRecording: Sendable {
    /// Why a file can't be read.
    package struct Mistake: Error, Equatable {
        package let text: String
    }

    /// The exchanges with one backend, in the order in which they began.
    package private(set) var exchanges: [RecordedExchange] = []
    /// The base URL of that backend.
    package private(set) var base = ""
    /// What was left out, and why.
    package private(set) var skipped: [String] = []

    /// Reads a file.
    ///
    /// - Parameter base: the base URL of the backend, such as `https://example.com/v1`; nil for the host that is asked most.
    /// - Throws: `Mistake`.
    package init(_ bytes: [UInt8], base: String? = nil) throws(Mistake) {
        let document: JSONValue
        do throws(JSONParseError) {
            document = try JSONValue(parsing: SourceText.withoutMark(bytes))
        } catch {
            throw Mistake(text: "\(error.line):\(error.column): the file is no JSON, or is cut short: \(error)")
        }
        guard let list = document["log"]?["entries"]?.array else {
            throw Mistake(text: "the file is no HAR: it has no list log.entries; export it as HAR once more")
        }
        var entries: [HAREntry] = []
        for entry in list {
            do throws(SkippedExchange) {
                entries.append(try HAREntry(entry))
            } catch {
                skipped.append(error.reason)
            }
        }
        if let base {
            guard let url = HARURL(base) else {
                throw Mistake(text: "'\(base)' is no base URL; write one such as https://example.com/v1")
            }
            self.base = base
            var path = url.target.prefix { $0 != "?" }
            while path.hasSuffix("/") { path.removeLast() }
            keep(entries, of: url.host, below: String(path))
            return
        }
        var hosts = Tally<String>()
        for entry in entries { hosts.add(entry.url.host) }
        guard let host = hosts.mostFrequent, let url = entries.first(where: { $0.url.host == host })?.url else {
            if skipped.isEmpty { throw Mistake(text: "the HAR has no entries: record some traffic first") }
            throw Mistake(text: "the HAR has no entry that can be used; of the first: \(skipped[0])")
        }
        self.base = "\(url.scheme)://\(host)/"
        keep(entries, of: host, below: "")
    }

    /// Those of http and https are the same backend.
    private mutating func keep(_ entries: [HAREntry], of host: String, below path: String) {
        var others = Tally<String>()
        var own: [(exchange: RecordedExchange, date: Double, index: Int)] = []
        // Without a date an entry stays behind the one before it.
        var date = 0.0
        for (index, entry) in entries.enumerated() {
            date = entry.date ?? date
            guard entry.url.host == host, let target = entry.url.target(below: path) else {
                others.add(entry.url.host == host ? "\(host), but not below \(path)" : entry.url.host)
                continue
            }
            var exchange = entry.exchange
            exchange.url = target
            exchange.makeLocationRelative(to: host, below: path)
            own.append((exchange, date, index))
        }
        own.sort { ($0.date, $0.index) < ($1.date, $1.index) }
        exchanges = own.map { item in
            var exchange = item.exchange
            exchange.began = .milliseconds((item.date - own[0].date) * 1000)
            return exchange
        }
        for (name, count) in others.counts {
            let entries = count == 1 ? "1 entry" : "\(count) entries"
            skipped.append("\(entries) of \(name): name another backend with --base-url")
        }
    }
}
