package import Backlot
package import BacklotJSON

/// What each released client makes of a page.
package enum ReleasedClients {
    /// Every release that reads pages of today, oldest first. Those before 0.0.3 read names with hyphens.
    package static let releases: [ClientVersion] = [
        "0.0.3", "0.0.4", "0.0.5", "0.0.6", "0.0.7", "0.0.9", "0.0.10", "0.11", "0.12", "0.13", "0.14", "0.15", "0.16",
        "0.17", "0.18", "0.19", "0.20",
        "0.21", "0.22", "0.23", "0.24", "0.25", "0.26", "0.27", "0.28", "0.29", "0.30", "0.31", "0.32", "0.32.1",
        "0.33",
        "0.33.1", "0.34", "0.35", "0.36", "0.37", "0.38", "0.39", "0.40",
    ]

    /// Releases at which rules change that are no part of the vocabulary.
    private static let changes: [ClientVersion] = ["0.31", "0.32", InputRules.firstNestingClient]

    /// The releases, in groups that read every page alike.
    private static let groups: [[ClientVersion]] = {
        var groups: [[ClientVersion]] = []
        for release in releases {
            if let last = groups.last?.last, !changes.contains(release),
                !ApplinVocabulary.all.changes(from: last, to: release)
            {
                groups[groups.count - 1].append(release)
            } else {
                groups.append([release])
            }
        }
        return groups
    }()

    /// The verdicts of all released clients on the body of an answer.
    ///
    /// - Parameter baseURL: the app's base URL, with a slash at its end; nil when it is unknown.
    package static func verdicts(onBody body: [UInt8], baseURL: String?) -> ClientVerdicts {
        let document: JSONValue
        do {
            document = try JSONValue(parsing: body, depthLimit: ApplinInspector.deepestJSON)
        } catch {
            return ClientVerdicts(
                accepts: [],
                rejects: releases.map { ($0, .notJSON(error, page: "/")) },
                failsToPost: []
            )
        }
        return verdicts(on: document, baseURL: baseURL)
    }

    /// The verdicts of all released clients on an answer.
    package static func verdicts(on document: JSONValue, baseURL: String?) -> ClientVerdicts {
        var verdicts = ClientVerdicts(accepts: [], rejects: [], failsToPost: [])
        for group in groups {
            let findings = ApplinRules.findings(
                inPage: document,
                path: "/",
                for: audience(of: group),
                app: nil,
                baseURL: baseURL
            )
            if let rejection = findings.first(where: \.isRejection) {
                verdicts.rejects += group.map { ($0, rejection) }
                continue
            }
            verdicts.accepts += group
            if let obstacle = findings.first(where: { $0.severity == .error && InputRules.postRules.contains($0.rule) })
            {
                verdicts.failsToPost += group.map { ($0, obstacle) }
            }
        }
        return verdicts
    }

    private static func audience(of group: [ClientVersion]) -> Audience {
        let newest = Dialect(of: group[0]).audience
        // All groups have the same name, so that refusals for the same reason become one line.
        return newest.narrowed(to: group[0]...group[group.count - 1], noun: newest.noun)
    }
}

/// The verdicts of all released clients on one page, oldest first.
package struct ClientVerdicts: Sendable {
    /// The releases that load the page.
    package fileprivate(set) var accepts: [ClientVersion]
    /// The releases that refuse it, each with the first reason.
    package fileprivate(set) var rejects: [(release: ClientVersion, reason: Finding)]
    /// The releases that load it, but then can send nothing from it, each with the reason.
    package fileprivate(set) var failsToPost: [(release: ClientVersion, reason: Finding)]
}
