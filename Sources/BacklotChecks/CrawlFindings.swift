internal import Applin
internal import Backlot
import BacklotClients
internal import HTTPTypes

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

/// The types of the variables that a crawl has seen, to tell where pages contradict each other.
struct VariableTypes {
    /// How many variables are remembered.
    private static let maximum = 10_000

    private var types: [String: (isBool: Bool, path: String)] = [:]

    /// Takes the inputs of a page, and says which contradict earlier pages.
    mutating func add(_ inputs: [PageInput], of path: String) -> [Finding] {
        var findings: [Finding] = []
        for input in inputs {
            let isBool = input.initial.bool != nil
            if let known = types[input.name] {
                guard known.isBool != isBool, known.path != path else { continue }
                findings.append(CrawlRule.twoTypes(input.name, path, isBool: isBool, other: known.path))
            } else if types.count < Self.maximum {
                types[input.name] = (isBool, path)
            }
        }
        return findings
    }
}

/// The rules of the crawl itself. Answers, cookies and pages have their own.
enum CrawlRule {
    /// A link to something that answers that it isn't there.
    static func dead(_ link: PageLink, _ status: HTTPResponse.Status) -> Finding {
        Finding(
            .error,
            rule: link.kind == .rpc ? "dead-rpc" : "dead-link",
            path: link.place,
            message:
                "\(link.action) leads to \(link.target.cut(to: 100).inQuotes), which answers \(status), so clients "
                + "show an error.",
            fix: link.kind == .rpc ? "Correct the path, or add an rpc there." : "Correct the path, or add a page there."
        )
    }

    /// A link that can't be followed.
    static func bad(_ link: PageLink, _ problem: BaseURL.Problem) -> Finding {
        Finding(
            .error,
            rule: "bad-link",
            path: link.place,
            message:
                "\(link.action) leads to \(link.target.cut(to: 100).inQuotes), which \(problem.reason), so clients "
                + "show an error.",
            fix: "Write a path below the base URL, such as \"/terms\"."
        )
    }

    /// A page with inputs that can't be refreshed.
    static func inputsWithoutPost(_ input: String, _ status: HTTPResponse.Status, _ path: String) -> Finding {
        Finding(
            .error,
            rule: "inputs-without-post",
            path: FindingPath(page: path, pointer: "/page"),
            message:
                "The page has inputs, such as \(input.cut(to: 40).inQuotes), so clients refresh it with POST, which "
                + "it answers with \(status).",
            fix: "Let it answer POST as well, with the same page."
        )
    }

    /// A variable that is a text on one page and a boolean on another.
    static func twoTypes(_ name: String, _ path: String, isBool: Bool, other: String) -> Finding {
        let types = isBool ? ("a boolean", "a text") : ("a text", "a boolean")
        return Finding(
            .warning,
            rule: "variable-of-two-types",
            path: FindingPath(page: path),
            message:
                "The variable \(name.cut(to: 40).inQuotes) is \(types.0) here and \(types.1) on \(other.cut(to: 100)): "
                + "once one page has set it, clients send nothing for the other.",
            fix: "Rename one of the two: variables belong to the whole app."
        )
    }

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
