import Backlot
import BacklotClients

/// The findings of a crawl, page by page, in the order in which the pages were asked for. It is bounded, and keeps each
/// finding once.
struct CrawlFindings {
    /// How many findings of one page are kept; the others are counted.
    static let maximumPerPage = 100

    private struct Entry {
        let path: String
        var findings: [Finding] = []
        var more = 0
    }

    private var entries: [Entry] = []
    private var indices: [String: Int] = [:]

    /// Begins a page, so that it is counted also where nothing is found.
    mutating func begin(_ path: String) {
        guard indices[path] == nil else { return }
        indices[path] = entries.count
        entries.append(Entry(path: path))
    }

    /// Adds findings to the page that they name.
    mutating func add(_ findings: [Finding]) {
        for finding in findings {
            begin(finding.path.page)
            guard let index = indices[finding.path.page], !entries[index].findings.contains(finding) else { continue }
            if entries[index].findings.count < Self.maximumPerPage {
                entries[index].findings.append(finding)
            } else {
                entries[index].more += 1
            }
        }
    }

    /// What was found on a page.
    func findings(of path: String) -> [Finding] { indices[path].map { entries[$0].findings } ?? [] }

    /// Every page.
    var pages: [FindingReport.Page] {
        entries.map { entry in
            let rest = entry.more > 0 ? [CrawlRule.moreFindings(entry.more, entry.path)] : []
            return FindingReport.Page(path: entry.path, findings: entry.findings + rest)
        }
    }
}

/// The rules of the crawl itself. Answers, links, cookies and pages have their own.
extension CrawlRule {
    /// An answer that kept the user waiting.
    static func slow(_ time: Duration, bound: Duration, rule: String, _ path: String) -> Finding {
        Finding(
            .warning,
            rule: rule,
            path: FindingPath(page: path),
            message: "The answer took \(time.milliseconds) ms, longer than \(bound.milliseconds) ms.",
            fix: "Answer sooner: do slow work before it is asked for, or show its state and let the page poll."
        )
    }

    /// The clients that were asked for speak another protocol or dialect.
    static func wrongClients(_ error: ClientSelectionError) -> Finding {
        Finding(
            .error,
            rule: "wrong-clients",
            path: FindingPath(page: "/"),
            message: "\(error).",
            fix: "Name clients that speak the backend's protocol and dialect."
        )
    }

    /// More was found on a page than is listed.
    static func moreFindings(_ count: Int, _ path: String) -> Finding {
        Finding(
            .warning,
            rule: "more-findings",
            path: FindingPath(page: path),
            message: "\(count) more \(count == 1 ? "finding is" : "findings are") not listed.",
            fix: "Mend those that are listed first."
        )
    }
}

/// Which pages a crawl has asked for, and which comes next: each once, those found first come first. A value without I/O.
///
/// It is bounded: what is found beyond the bounds is counted, and not kept.
///
struct CrawlFrontier {
    /// How many pages are remembered that were not asked for.
    static let maximumWaiting = 20_000
    /// How many links to one page are remembered.
    static let maximumLinks = 20

    private let maximum: Int
    private var targets: [CrawlStop] = []
    private var links: [CrawlStop: [PageLink]] = [:]
    /// How many targets were asked for.
    private(set) var taken = 0
    /// How many links led to pages that were not remembered.
    private(set) var forgotten = 0

    /// - Parameters:
    ///   - first: where the crawl begins.
    ///   - maximum: how many targets it asks for at most.
    init(from first: CrawlStop? = nil, maximum: Int) {
        self.maximum = maximum
        guard let first else { return }
        targets = [first]
        links[first] = []
    }

    /// How many targets are known that were not asked for.
    var waiting: Int { targets.count - taken }

    /// Whether there is more than may be asked for.
    var isOverBound: Bool { taken >= maximum && waiting > 0 }

    /// The paths that were not asked for.
    var left: [String] { targets[taken...].map(\.path) }

    /// Takes in where a link leads.
    ///
    /// - Returns: whether it leads to something new.
    @discardableResult
    mutating func add(_ link: PageLink, to stop: CrawlStop) -> Bool {
        if let known = links[stop] {
            if known.count < Self.maximumLinks { links[stop]?.append(link) }
            return false
        }
        guard waiting < Self.maximumWaiting else {
            forgotten += 1
            return false
        }
        links[stop] = [link]
        var stop = stop
        stop.path = link.target.escapingControls
        targets.append(stop)
        return true
    }

    /// The next target; nil at the end, and at the bound.
    mutating func next() -> CrawlStop? {
        guard taken < maximum, taken < targets.count else { return nil }
        taken += 1
        return targets[taken - 1]
    }

    /// Takes back the last `next()`, which could not be asked for.
    mutating func giveBack() { taken -= 1 }

    /// The links that lead to a target, at most ``maximumLinks``.
    func links(to stop: CrawlStop) -> [PageLink] { links[stop] ?? [] }
}

extension String {
    /// The text without control characters, which would be commands to a terminal: they are percent-encoded.
    var escapingControls: String {
        guard unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else { return self }
        return unicodeScalars.reduce(into: "") { text, scalar in
            if scalar.properties.generalCategory == .control {
                for byte in String(scalar).utf8 {
                    text += byte < 16 ? "%0\(String(byte, radix: 16))" : "%\(String(byte, radix: 16))"
                }
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
    }
}
