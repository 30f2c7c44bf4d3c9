internal import Backlot
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
