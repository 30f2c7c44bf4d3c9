import Backlot
import BacklotClients
internal import BacklotMocks

/// The findings of a crawl by page, in the order of the requests. It is bounded, and keeps each finding once.
struct CrawlFindings {
    /// The maximum number of findings kept for a page; further ones are only counted.
    static let maximumPerPage = 100

    private struct Entry {
        let path: String
        var findings: [Finding] = []
        var more = 0
    }

    private let severities: [Finding.Severity]
    private let expected: ExpectedFindings?
    private var entries: [Entry] = []
    private var indices: [String: Int] = [:]

    /// - Parameters:
    ///   - least: the least severe findings to keep.
    ///   - expected: the findings to leave out of the pages.
    init(least: Finding.Severity = .note, expected: ExpectedFindings? = nil) {
        severities = Finding.Severity.allCases.prefix { $0 != least } + [least]
        self.expected = expected
    }

    /// Begins a page, which counts even without findings.
    mutating func begin(_ path: String) {
        guard indices[path] == nil else { return }
        indices[path] = entries.count
        entries.append(Entry(path: path))
    }

    /// Adds findings to the pages that they name.
    mutating func add(_ findings: [Finding]) {
        for finding in findings where severities.contains(finding.severity) {
            begin(finding.path.page)
            guard let index = indices[finding.path.page], !entries[index].findings.contains(finding) else { continue }
            if entries[index].findings.count < Self.maximumPerPage {
                entries[index].findings.append(finding)
            } else {
                entries[index].more += 1
            }
        }
    }

    /// The findings about a page, expected ones too: they still count for client versions.
    func findings(of path: String) -> [Finding] { indices[path].map { entries[$0].findings } ?? [] }

    /// All pages with their findings.
    var pages: [FindingReport.Page] {
        entries.map { entry in
            let rest = entry.more > 0 ? [CrawlRule.moreFindings(entry.more, entry.path)] : []
            let found = (entry.findings + rest).filter { expected?.contain($0) != true }
            return FindingReport.Page(path: entry.path, findings: found)
        }
    }
}

/// The rules of the crawl itself. Responses, links, cookies and pages have their own rules.
extension CrawlRule {
    /// A response that kept the user waiting.
    static func slow(_ time: Duration, bound: Duration, rule: String, _ path: String) -> Finding {
        Finding(
            .warning,
            rule: rule,
            path: FindingPath(page: path),
            message: "The response took \(time.milliseconds) ms, longer than \(bound.milliseconds) ms.",
            fix: "Respond sooner: do slow work before the request, or show its state and let the page poll."
        )
    }

    /// A mock server's file is broken.
    static func brokenFile(_ sentence: String, _ path: String) -> Finding {
        let path = FindingPath(page: path)
        return Finding(.warning, rule: "broken-mock-file", path: path, message: "The \(sentence)", fix: brokenFileFix)
    }

    /// Advice about a mock server's broken file.
    static let brokenFileFix = "Correct the file at this line and column; the server's log names the mistake."

    /// The selected clients speak another protocol or dialect.
    static func wrongClients(_ error: ClientSelectionError) -> Finding {
        Finding(
            .error,
            rule: "wrong-clients",
            path: FindingPath(page: "/"),
            message: "\(error).",
            fix: "Name clients that speak the backend's protocol and dialect."
        )
    }

    /// A page has more findings than are listed.
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

/// The pages that a crawl has requested and those to request next: each once, in the order of discovery. A value without I/O.
///
/// It is bounded: it counts pages beyond the bounds, but doesn't store them.
struct CrawlFrontier {
    /// The maximum number of stored pages that are still to be requested.
    static let maximumWaiting = 20_000
    /// The maximum number of stored links to one page.
    static let maximumLinks = 20

    private let maximum: Int
    private var targets: [CrawlStop] = []
    private var links: [CrawlStop: [PageLink]] = [:]
    /// The number of requested targets.
    private(set) var taken = 0
    /// The number of links to pages that weren't stored.
    private(set) var forgotten = 0

    /// - Parameters:
    ///   - first: the first stop of the crawl.
    ///   - maximum: the maximum number of targets to request.
    init(from first: CrawlStop? = nil, maximum: Int) {
        self.maximum = maximum
        guard let first else { return }
        targets = [first]
        links[first] = []
    }

    /// The number of known targets that are still to be requested.
    var waiting: Int { targets.count - taken }

    /// Whether there are more targets than the crawl may request.
    var isOverBound: Bool { taken >= maximum && waiting > 0 }

    /// The paths that weren't requested.
    var left: [String] { targets[taken...].map(\.path) }

    /// Adds the target of a link.
    ///
    /// - Returns: whether the target is new.
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

    /// Undoes the last `next()`, because the target couldn't be requested.
    mutating func giveBack() { taken -= 1 }

    /// The links to a target, at most ``maximumLinks``.
    func links(to stop: CrawlStop) -> [PageLink] { links[stop] ?? [] }
}

extension ClientResponse {
    /// The mock server's broken file with the line and column, and a sentence about it without its article; nil without such a file.
    var brokenFile: (file: String, sentence: String)? {
        guard let file = BrokenFiles.field.flatMap({ headers[$0] })?.cut(to: 200) else { return nil }
        let isStale = status.kind == .successful
        return (file, "mock file \(file) is broken\(isStale ? ", so the server sends its last valid version" : "").")
    }
}

extension String {
    /// The text with its control characters percent-encoded, since a terminal would take them as commands.
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
