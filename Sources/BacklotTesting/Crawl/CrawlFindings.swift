internal import Backlot

/// What a crawl has found, page by page, in the order in which the pages were asked for. It is bounded, and keeps each finding
/// once.
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

    /// Every page.
    var pages: [FindingReport.Page] {
        entries.map { entry in
            let rest = entry.more > 0 ? [CrawlRule.moreFindings(entry.more, entry.path)] : []
            return FindingReport.Page(path: entry.path, findings: entry.findings + rest)
        }
    }
}
