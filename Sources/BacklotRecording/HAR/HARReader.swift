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
        guard let entries = document["log"]?["entries"]?.array else {
            throw Mistake(text: "the file is no HAR: it has no list log.entries; export it as HAR once more")
        }
        var found: [Found] = []
        for (index, entry) in entries.enumerated() {
            do throws(HAREntry.Skipped) {
                let read = try HAREntry(entry)
                found.append(Found(entry: read, index: index))
            } catch {
                skipped.append(error.text)
            }
        }
        let backend = try base.map { text throws(Mistake) in try Self.backend(text) } ?? Self.mostFrequent(found)
        guard let backend else {
            if skipped.isEmpty { throw Mistake(text: "the HAR has no entries: record some traffic first") }
            throw Mistake(text: "the HAR has no entry that can be used; of the first: \(skipped[0])")
        }
        self.base = backend.text
        keep(found, of: backend)
    }

    private struct Found {
        let entry: HAREntry
        let index: Int
    }

    /// A base URL; those of http and https are the same backend.
    private struct Backend {
        let text: String
        let host: String
        /// Without a slash at its end.
        let path: String
    }

    private static func backend(_ text: String) throws(Mistake) -> Backend {
        guard let url = HARURL(text) else {
            throw Mistake(text: "'\(text)' is no base URL; write one such as https://example.com/v1")
        }
        var path = url.target.prefix { $0 != "?" }
        while path.hasSuffix("/") { path.removeLast() }
        return Backend(text: text, host: url.host, path: String(path))
    }

    private static func mostFrequent(_ found: [Found]) -> Backend? {
        var counts: [(url: HARURL, count: Int)] = []
        for url in found.map(\.entry.url) {
            if let index = counts.firstIndex(where: { $0.url.host == url.host }) {
                counts[index].count += 1
            } else {
                counts.append((url, 1))
            }
        }
        let most = counts.map(\.count).max() ?? 0
        guard let url = counts.first(where: { $0.count == most })?.url else { return nil }
        return Backend(text: "\(url.scheme)://\(url.host)/", host: url.host, path: "")
    }

    private mutating func keep(_ found: [Found], of backend: Backend) {
        var others: [(host: String, count: Int)] = []
        var own: [(exchange: RecordedExchange, date: Double, index: Int)] = []
        // Without a date an entry stays behind the one before it.
        var date = 0.0
        for found in found {
            date = found.entry.date ?? date
            let url = found.entry.url
            let isBelow =
                url.target.hasPrefix(backend.path)
                && (url.target.count == backend.path.count
                    || ["/", "?"].contains(url.target.dropFirst(backend.path.count).first))
            guard url.host == backend.host, isBelow else {
                let name = url.host == backend.host ? "\(url.host), but not below \(backend.path)" : url.host
                if let index = others.firstIndex(where: { $0.host == name }) {
                    others[index].count += 1
                } else {
                    others.append((name, 1))
                }
                continue
            }
            var exchange = found.entry.exchange
            let target = url.target.dropFirst(backend.path.count)
            exchange.url = target.hasPrefix("/") ? String(target) : "/\(target)"
            exchange.makeLocationRelative(to: backend.host, below: backend.path)
            own.append((exchange, date, found.index))
        }
        own.sort { ($0.date, $0.index) < ($1.date, $1.index) }
        let start = own.first?.date ?? 0
        exchanges = own.map { item in
            var exchange = item.exchange
            exchange.began = .milliseconds((item.date - start) * 1000)
            return exchange
        }
        for other in others {
            skipped.append(
                "\(other.count) \(other.count == 1 ? "entry" : "entries") of \(other.host): name another backend with --base-url"
            )
        }
    }
}

/// An absolute URL of a HAR.
struct HARURL {
    let scheme: String
    /// In lower case, with its port unless that is the scheme's.
    let host: String
    /// The path and the query; it begins with a slash.
    let target: String

    init?(_ text: String) {
        guard let parts = text.atScheme else { return nil }
        scheme = parts.scheme.lowercased()
        guard scheme == "http" || scheme == "https" else { return nil }
        let rest = parts.rest.prefix { $0 != "#" }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        var host = authority[
            (authority.lastIndex(of: "@").map { authority.index(after: $0) } ?? authority.startIndex)...
        ]
        .lowercased()
        let usual = scheme == "http" ? ":80" : ":443"
        if host.hasSuffix(usual) { host.removeLast(usual.count) }
        guard !host.isEmpty else { return nil }
        self.host = host
        let target = rest.dropFirst(authority.count)
        self.target = target.hasPrefix("/") ? String(target) : "/\(target)"
    }

    /// The path and the query below a base path, which has no slash at its end; nil for a URL that isn't below it.
    func target(below basePath: String) -> String? {
        guard target.hasPrefix(basePath) else { return nil }
        let rest = target.dropFirst(basePath.count)
        if rest.hasPrefix("/") { return String(rest) }
        return rest.isEmpty || rest.hasPrefix("?") ? "/\(rest)" : nil
    }
}
