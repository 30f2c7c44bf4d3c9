internal import Backlot
internal import BacklotJSON
internal import Floki
internal import HTTPTypes

extension FlokiClient {
    /// Asks for a URL.
    ///
    /// - Throws: ``FlokiFailure`` where nothing comes that counts.
    func get(_ url: String) async throws -> ClientResponse {
        sent.append(url)
        let response: ClientResponse
        do throws(ClientFailure) {
            let request = ClientRequest(.get, try HTTPURL(url))
            response = try await session.send(request, now: Double(now)).response
        } catch {
            throw FlokiFailure.noAnswer(url: url, why: "\(error)")
        }
        guard response.status.kind == .successful else {
            throw FlokiFailure.noAnswer(url: url, why: "its status is \(response.status.code): \(response.text)")
        }
        return response
    }

    /// Asks for a document and judges it.
    func document(
        _ url: String,
        _ kind: FlokiRules.Document,
        _ step: String,
        _ place: String
    ) async throws -> JSONObject {
        let response = try await get(url)
        let findings = FlokiInspector(kind: kind, facts: facts)
            .findings(inBody: response.body, path: url, app: nil)
            .filter { $0.severity == .error }
        guard findings.isEmpty else {
            throw BackendFailure(step: step, findings: findings, screen: drawing, place: place)
        }
        guard let object = (try? JSONValue(parsing: response.body))?.object else {
            throw FlokiFailure.noObject(url: url)
        }
        return object
    }

    private var facts: FeedFacts {
        guard let master = appData["langs"]?[0]?.object?.members.first?.value.object else { return FeedFacts() }
        return FeedFacts(texts: Set(master.keys.compactMap { Int($0) }).union(ReservedTexts.range))
    }

    /// A URL with what the client says of itself.
    func address(_ url: String, of list: FlokiList?, older: Int? = nil) -> String {
        let ids = (list?.shown ?? []).compactMap(\.flokiID)
        let values = [
            ("d", configuration.device), ("l", ids.min()), ("h", ids.max()), ("o", older),
        ]
        let pairs = values.compactMap { name, value in value.map { "\(name)=\($0)" } }
        guard !pairs.isEmpty else { return url }
        let separator = url.contains("?") || configuration.omitsQuestionMark ? "&" : "?"
        return url + separator + pairs.joined(separator: "&")
    }
}
