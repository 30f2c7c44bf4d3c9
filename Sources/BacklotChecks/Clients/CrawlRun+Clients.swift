internal import Applin
internal import Backlot
import BacklotClients
internal import HTTPTypes

/// What the client versions that were asked for make of a crawl's pages.
extension CrawlRun {
    /// The one version that pages are judged for in full: the newest of those that were asked for and speak the dialect; nil
    /// for the newest of the dialect.
    var client: ClientVersion? {
        guard let dialect, let newest = channel.matrix?.clients.newest(speaking: dialect) else { return nil }
        return newest == dialect.versions.upperBound ? nil : newest
    }

    /// The field that tells the backend a version; nothing where it isn't told any.
    func field(telling version: ClientVersion? = nil) -> HTTPFields {
        guard let field = options.clientField, let version = version ?? channel.matrix?.clients.versions.last else {
            return [:]
        }
        return field.fields(telling: version)
    }

    /// Adds the verdicts of client versions on an answer that should be a page.
    ///
    /// - Parameter versions: nil for all that were asked for.
    mutating func addVerdicts(on response: ClientResponse, _ path: String, of versions: [ClientVersion]? = nil) {
        guard let matrix = channel.matrix else { return }
        guard response.status.kind == .successful else {
            // A text for the user, as an answer that says it.
            guard ![403, 422].contains(response.status.code) else { return }
            channel.matrix?.add(refusal: AnswerRule.status(response, path), of: path, by: versions)
            return
        }
        guard !response.body.isEmpty, response.mediaType == AnswerJudge.pageType else {
            guard let refusal = judge.page(response, path: path).findings.first(where: { $0.severity == .error }) else {
                return
            }
            channel.matrix?.add(refusal: refusal, of: path, by: versions)
            return
        }
        let verdicts = ReleasedClients.verdicts(
            onBody: response.body,
            path: path,
            of: versions ?? matrix.clients.versions,
            baseURL: base.url.description
        )
        channel.matrix?.add(verdicts, of: path)
    }

    /// Asks for a page once for each group of versions, and names the version in the request.
    mutating func visitAsOthers(_ target: CrawlFrontier<HTTPURL>.Target) async {
        guard options.clientField != nil, let versions = channel.matrix?.clients.versions else { return }
        for group in ReleasedClients.groups(of: versions) {
            guard channel.end == nil, let version = group.last, version != versions.last else { continue }
            var headers = field(telling: version)
            headers[.accept] = AnswerJudge.pageType
            guard let response = await channel.send(ClientRequest(.get, target.key, headers: headers), target.path)
            else {
                continue
            }
            addVerdicts(on: response, target.path, of: group)
        }
    }

    /// The versions that the answer to the crawl's own requests is for.
    var askingVersions: [ClientVersion]? {
        guard options.clientField != nil, let versions = channel.matrix?.clients.versions else { return nil }
        return ReleasedClients.groups(of: versions).last
    }
}

extension ClientSelection {
    /// The versions of the Applin client.
    var versions: [ClientVersion] { clients.first { $0.wire == .applin }?.versions ?? [] }
}

extension CrawlChannel {
    /// Makes the matrix complete, and adds the reasons in it to what was found.
    mutating func finishMatrix(_ wire: CrawlWire) {
        if wire == .applin {
            for page in matrix?.pages ?? [] {
                findings.add(matrix?.findings(of: page, besides: findings.findings(of: page.path)) ?? [])
            }
        } else {
            for page in findings.pages {
                let parts = page.path.split(separator: "?dialect=", maxSplits: 1)
                let client =
                    switch wire {
                    case .views: parts.count == 2 ? "dynamic-views-\(parts[1])" : ""
                    default: wire.rawValue
                    }
                let refusal = page.findings.first { $0.severity == .error }
                matrix?.add(refusal, of: wire == .views ? String(parts.first ?? "") : page.path, by: client)
            }
        }
    }
}
