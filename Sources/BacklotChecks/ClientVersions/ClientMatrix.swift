public import Backlot

/// The verdicts of client versions on the pages of a backend.
///
/// ```
/// clients: applin-ios 0.28 to 0.40
///
/// page       0.28-0.30  0.31-0.35  0.36-0.40
/// /          no         yes        yes        needs ≥ 0.31 because of actions that are objects
/// /settings  no         no         yes        needs ≥ 0.36 because of reset_var
/// ```
public struct ClientMatrix: Sendable {
    /// A version's verdict on a page.
    public enum Verdict: Sendable, Equatable {
        /// The version loads the page.
        case loads
        /// The version loads the page but can't send anything from it, because of the finding.
        case cannotSend(Finding)
        /// The version rejects the page; the finding is the first reason.
        case refuses(Finding)
    }

    /// One version of a client.
    struct Column: Sendable, Equatable {
        let client: Int
        /// The version; nil for a client without differences between releases.
        let version: ClientVersion?
    }

    /// A reason why versions reject a page, or can't send anything from it.
    struct Reason: Sendable {
        let finding: Finding
        let isRefusal: Bool
        /// The name of the rejected widget, action or key.
        let cause: String?
    }

    /// The verdicts on a page.
    struct Page: Sendable {
        static let loads: UInt8 = 0
        static let notAsked: UInt8 = .max

        let path: String
        /// A verdict for each column: ``loads``, ``notAsked``, or the number of a reason, from 1.
        var cells: [UInt8]
        var reasons: [Reason] = []

        func reason(_ column: Int) -> Reason? {
            let cell = cells[column]
            return cell == Self.loads || cell == Self.notAsked ? nil : reasons[Int(cell) - 1]
        }

        func loads(in column: Int) -> Bool { cells[column] != Self.notAsked && reason(column)?.isRefusal != true }
    }

    /// The clients to check for.
    public let clients: ClientSelection
    let columns: [Column]
    private(set) var pages: [Page] = []
    private var indices: [String: Int] = [:]

    init(_ clients: ClientSelection) {
        self.clients = clients
        columns = clients.clients.enumerated().flatMap { index, client in
            client.versions.isEmpty
                ? [Column(client: index, version: nil)]
                : client.versions.map { Column(client: index, version: $0) }
        }
    }

    /// The paths of the pages, in the order of the crawl.
    public var paths: [String] { pages.map(\.path) }

    /// A version's verdict on a page; nil for an unknown page, or one that wasn't checked for the version.
    ///
    /// - Parameter version: nil for a client without differences between releases.
    public func verdict(on path: String, by client: String, _ version: ClientVersion?) -> Verdict? {
        guard let page = indices[path].map({ pages[$0] }),
            let column = columns.firstIndex(where: {
                $0.version == version && clients.clients[$0.client].name == client
            }),
            page.cells[column] != Page.notAsked
        else { return nil }
        guard let reason = page.reason(column) else { return .loads }
        return reason.isRefusal ? .refuses(reason.finding) : .cannotSend(reason.finding)
    }

    // MARK: Adding verdicts

    /// Adds the verdicts of clients on a response for a page. A page that clients rejected in an earlier response stays rejected.
    mutating func add(_ verdicts: ClientFindings, of path: String) {
        let page = begin(path)
        let columns = columns.indices.filter { self.columns[$0].version != nil }
        let byVersion = Dictionary(uniqueKeysWithValues: columns.map { (self.columns[$0].version, $0) })
        for version in verdicts.accepts {
            guard let column = byVersion[version], pages[page].cells[column] == Page.notAsked else { continue }
            pages[page].cells[column] = Page.loads
        }
        for (version, finding) in verdicts.failsToPost {
            guard let column = byVersion[version] else { continue }
            note(Reason(finding: finding, isRefusal: false, cause: nil), page, column)
        }
        for (version, finding) in verdicts.rejects {
            guard let column = byVersion[version] else { continue }
            note(Reason(finding: finding, isRefusal: true, cause: verdicts.causes[version]), page, column)
        }
    }

    /// Adds the verdict of a client without differences between releases.
    ///
    /// - Parameter refusal: the finding that makes the client reject the page; nil if it loads the page.
    mutating func add(_ refusal: Finding?, of path: String, by client: String) {
        guard let column = columns.firstIndex(where: { clients.clients[$0.client].name == client }) else { return }
        let page = begin(path)
        if let refusal {
            note(Reason(finding: refusal, isRefusal: true, cause: nil), page, column)
        } else if pages[page].cells[column] == Page.notAsked {
            pages[page].cells[column] = Page.loads
        }
    }

    /// Adds a page that versions reject, regardless of its content.
    ///
    /// - Parameter versions: the rejecting versions; nil for every version.
    mutating func add(refusal: Finding, of path: String, by versions: [ClientVersion]? = nil) {
        let page = begin(path)
        for column in columns.indices where versions.map({ $0.contains { $0 == columns[column].version } }) ?? true {
            note(Reason(finding: refusal, isRefusal: true, cause: nil), page, column)
        }
    }

    /// Leaves out those of the pages that don't exist for any version: findings about the links report them.
    mutating func leaveOut(missing paths: Set<String>) {
        pages.removeAll { page in
            paths.contains(page.path) && !page.cells.contains(Page.loads)
                && Set(page.reasons.map(\.finding.rule)).count == 1
        }
        indices = Dictionary(uniqueKeysWithValues: pages.enumerated().map { ($1.path, $0) })
    }

    private mutating func begin(_ path: String) -> Int {
        if let index = indices[path] { return index }
        indices[path] = pages.count
        pages.append(Page(path: path, cells: Array(repeating: Page.notAsked, count: columns.count)))
        return pages.count - 1
    }

    private mutating func note(_ reason: Reason, _ page: Int, _ column: Int) {
        if let known = pages[page].reason(column), known.isRefusal || !reason.isRefusal { return }
        let known = pages[page].reasons.firstIndex {
            $0.isRefusal == reason.isRefusal && $0.cause == reason.cause && $0.finding == reason.finding
        }
        if let known {
            pages[page].cells[column] = UInt8(known + 1)
        } else if pages[page].reasons.count < Int(Page.notAsked) - 1 {
            pages[page].reasons.append(reason)
            pages[page].cells[column] = UInt8(pages[page].reasons.count)
        }
    }
}

extension ClientMatrix {
    /// The requirement for loading a page: versions, and the parts of the page that need them.
    struct Need: Sendable {
        /// The first and the last version of each range; nil if the range is open within the checked versions.
        let ranges: [(from: ClientVersion?, to: ClientVersion?)]
        /// The parts of the page that other versions reject.
        let causes: [String]

        /// A text such as `≥ 0.36 because of reset_var`.
        var text: String {
            guard !ranges.isEmpty else { return "a version outside the selection" }
            let versions = ranges.map { range in
                switch (range.from, range.to) {
                case (let from?, nil): "≥ \(from.releaseName)"
                case (nil, let to?): "≤ \(to.releaseName)"
                case (let from?, let to?):
                    from == to ? from.releaseName : "\(from.releaseName) to \(to.releaseName)"
                case (nil, nil): ""
                }
            }
            let because = causes.isEmpty ? "" : " because of \(causes.joined(separator: " and "))"
            return versions.joined(separator: " or ") + because
        }
    }

    /// The versions that load a page; nil if all of them do, or if the client has only one version.
    func need(of page: Page, client: Int) -> Need? {
        let columns = columns.indices.filter { self.columns[$0].client == client && page.cells[$0] != Page.notAsked }
        guard columns.contains(where: { !page.loads(in: $0) }), self.columns[columns[0]].version != nil else {
            return nil
        }
        var ranges: [(from: ClientVersion?, to: ClientVersion?)] = []
        var causes: [String] = []
        func note(_ column: Int) {
            if let cause = page.reason(column)?.cause, !causes.contains(cause) { causes.append(cause) }
        }
        for (place, column) in columns.enumerated() where page.loads(in: column) {
            let isFirst = place == 0 || !page.loads(in: columns[place - 1])
            let isLast = place == columns.count - 1 || !page.loads(in: columns[place + 1])
            if isFirst {
                if place > 0 { note(columns[place - 1]) }
                ranges.append((place == 0 ? nil : self.columns[column].version, nil))
            }
            if isLast, place < columns.count - 1 {
                note(columns[place + 1])
                ranges[ranges.count - 1].to = self.columns[column].version
            }
        }
        return Need(ranges: ranges, causes: causes)
    }

    /// The versions that load every page, and the obstacles for others; nil without pages or versions.
    var readers: String? {
        guard !pages.isEmpty else { return nil }
        let texts = clients.clients.indices.compactMap { client -> String? in
            let own = columns.indices.filter { columns[$0].client == client && columns[$0].version != nil }
            guard !own.isEmpty else { return nil }
            func cause(_ column: Int) -> String {
                let refusal = pages.lazy.compactMap { $0.reason(column) }.first(where: \.isRefusal)
                return refusal.map { $0.cause ?? $0.finding.rule } ?? ""
            }
            let groups = Dictionary(grouping: own, by: cause)
            let reading = groups[""] ?? []
            let others = groups.filter { $0.key != "" }.sorted { $0.value[0] > $1.value[0] }
            let name = reading.isEmpty ? "no release of \(clients.clients[client].name)" : title(of: reading)
            let refusals = others.map { cause, refusing in
                "; not by \(title(of: refusing).split(separator: " ").dropFirst().joined(separator: " ")), because of \(cause)"
            }
            return "readable by \(name)\(refusals.joined())"
        }
        return texts.isEmpty ? nil : texts.joined(separator: "\n")
    }

    /// A finding for each reason why versions reject a page or can't send anything from it.
    ///
    /// - Parameter known: other findings on the page. A reason among them isn't repeated.
    func findings(of page: Page, besides known: [Finding]) -> [Finding] {
        page.reasons.enumerated().compactMap { index, reason in
            let finding = reason.finding
            let isKnown = known.contains {
                $0.severity == .error && $0.rule == finding.rule && $0.path.pointer == finding.path.pointer
            }
            let columns = columns.indices.filter { page.cells[$0] == UInt8(index + 1) }
            guard !isKnown, let first = columns.first else { return nil }
            let client = self.columns[first].client
            let verb = reason.isRefusal ? "can't load the page" : "load the page, and can send nothing from it"
            let need = reason.isRefusal ? need(of: page, client: client).flatMap { $0.ranges.isEmpty ? nil : $0 } : nil
            let needs = need.map { " The page needs \($0.text)." } ?? ""
            return Finding(
                .error,
                rule: finding.rule,
                path: finding.path,
                message: "\(title(of: columns)) \(verb): \(finding.message)\(needs)",
                fix: finding.fix,
                isRejection: reason.isRefusal
            )
        }
    }

    /// The columns' clients and versions as text: `applin-ios 0.28 to 0.30`.
    private func title(of columns: [Int]) -> String {
        clients.clients.indices.compactMap { index in
            let own = columns.filter { self.columns[$0].client == index }
            guard !own.isEmpty, let client = ClientSelection.client(clients.clients[index].name)
            else {
                return nil
            }
            let ranges = client.ranges(of: own.compactMap { self.columns[$0].version })
            return ranges.isEmpty ? client.name : "\(client.name) \(ranges.joined(separator: ", "))"
        }
        .joined(separator: " and ")
    }
}
