internal import Applin
internal import Backlot
import BacklotClients
internal import BacklotJSON
import BacklotMocks
import BacklotRecording

/// What stands for what, as the answers of both show it.
extension DriftSession {
    /// The paths that fit a probe, as the mocks and the backend have them; those that pages lead to first.
    func paths(for probe: MockProbe) -> [(mock: String, backend: String)] {
        if let path = probe.path() {
            return [(path, targets.first { $0.mock == path }?.backend ?? path)]
        }
        var paths: [(mock: String, backend: String)] = []
        for target in targets {
            guard let values = probe.values(in: target.mock), let path = probe.path(values) else { continue }
            paths.append((path, target.backend))
        }
        for target in backendTargets {
            guard let values = probe.values(in: target), let path = probe.path(values) else { continue }
            paths.append((path, path))
        }
        return paths
    }

    /// Whether it isn't known what clients send: recordings say no more than tells one answer from another.
    func isGuess(_ probe: MockProbe, _ path: String) -> Bool {
        guard probe.method != .get, probe.body == nil, probe.form.isEmpty else { return false }
        if probe.variables["method"] != nil, tokens[path] != nil { return options.variables.count == 0 }
        var named = Set(probe.variables.keys + [probe.userVariable].compactMap(\.self))
        let secrets = SecretNames(options.redactedKeys)
        if let inputs = variables[path]?.mock {
            named.formUnion(options.variables.keys)
            let madeUp = inputs.members.filter { $0.value.string == "" && !named.contains($0.key) }
            // Any name may do for a log-in, but only one password does.
            return probe.logsIn
                ? madeUp.contains { secrets.kind(of: $0.key) != nil && options.variables[$0.key] == nil }
                : !madeUp.isEmpty
        }
        if probe.logsIn { named.formUnion(options.variables.keys) }
        return named.count < 2 && !named.contains { secrets.kind(of: $0) != nil }
    }

    mutating func learn(_ pairs: [DocumentDrift.Pair]) {
        for pair in pairs where texts.count < 10_000 {
            if pair.isTarget {
                if isSameRoute(pair.mock, pair.backend) { add(pair.mock, pair.backend) }
            } else if pair.mock.looksLikeToken, pair.backend.looksLikeToken, texts[pair.mock] == nil {
                texts[pair.mock] = pair.backend
            }
        }
    }

    /// Whether two paths differ in the values of parameters only: another fixed path is another route.
    private func isSameRoute(_ mock: String, _ backend: String) -> Bool {
        let route = routes.route(mock)
        return mock.withoutQuery == backend.withoutQuery || route.contains("*") && route == routes.route(backend)
    }

    mutating func add(_ mock: String, _ backend: String) {
        let (mock, backend) = (mock.withoutQuery, backend.withoutQuery)
        guard mock.hasPrefix("/"), backend.hasPrefix("/"), targets.count < 10_000 else { return }
        if let index = targets.firstIndex(where: { $0.mock == mock }) {
            targets[index] = Target(mock: mock, backend: backend)
        } else {
            targets.append(Target(mock: mock, backend: backend))
        }
    }

    /// Remembers what the pages of an exchange lead to.
    mutating func learn(from exchange: DriftExchange) {
        guard case .success(let answer) = exchange.backend, let known = exchange.mock.document else { return }
        guard let found = answer.document else { return }
        let words = AnswerWords(for: known)
        let drift = DocumentDrift(
            mock: known,
            backend: found,
            words: words,
            route: { [routes] in routes.route($0) }
        )
        learn(drift.pairs)
        for pair in [(known, true), (found, false)] {
            for target in words.map({ $0.allTargets(in: pair.0) }) ?? [] where target.hasPrefix("/") {
                if pair.1 {
                    if !targets.contains(where: { $0.mock == target.withoutQuery }) { add(target, target) }
                } else if backendTargets.count < 10_000, !backendTargets.contains(target.withoutQuery) {
                    backendTargets.append(target.withoutQuery)
                }
            }
        }
        if words?.wire == "xpedite", let mock = known["token"]?.string, let backend = found["token"]?.string {
            tokens[exchange.mockRequest.url.path] = (mock, backend)
        }
        learnRows(exchange, known, found)
        learnVariables(exchange, answer)
    }

    /// The elements of a list of JSON have routes of their own by their ids.
    mutating func learnRows(_ exchange: DriftExchange, _ known: JSONValue, _ found: JSONValue) {
        func first(_ document: JSONValue) -> JSONObject? {
            let list = document.array ?? document.object?.members.lazy.compactMap(\.value.array).first
            return list?.first?.object
        }
        func text(_ value: JSONValue?) -> String? {
            value?.string ?? value?.number.map { JSONValue.number($0).description }
        }
        guard let left = first(known), let right = first(found) else { return }
        let (mock, backend) = (
            exchange.mockRequest.url.path, String(exchange.request.url.path.dropFirst(basePath.count))
        )
        for key in ["id", "uuid", "slug", "name"] {
            guard let one = text(left[key]), let two = text(right[key]) else { continue }
            return add("\(mock)/\(one)", "\(backend)/\(two)")
        }
    }

    private var basePath: String { (try? HTTPURL(base + "/"))?.path.dropLast().description ?? "" }

    mutating func learnVariables(_ exchange: DriftExchange, _ answer: ClientResponse) {
        let path = exchange.mockRequest.url.path
        guard let page = CrawledPage(exchange.mock, path: path, dialect: nil, limits: options.limits) else { return }
        let other = CrawledPage(answer, path: path, dialect: nil, limits: options.limits)
        let own = (page.variables ?? [:], other?.variables ?? [:])
        variables[path] = own
        for link in page.links where link.kind == .rpc { variables[link.target.withoutQuery] = own }
    }
}

extension AnswerWords {
    /// Where the parts of an answer lead, in their order.
    func allTargets(in answer: JSONValue) -> [String] {
        tree(answer).nodes.compactMap { node in
            node.object.members.first { targets.contains($0.key) && $0.value.string != nil }?.value.string
        }
    }
}

extension String {
    /// Whether it may be an id or a token, and no word and no sentence.
    var looksLikeToken: Bool {
        let bytes = utf8
        guard bytes.count >= 6, !bytes.contains(where: { $0 <= 0x20 }) else { return false }
        return bytes.count >= 16 || bytes.contains { (0x30...0x39).contains($0) }
    }

    fileprivate var withoutQuery: String { String(prefix { $0 != "?" && $0 != "#" }) }
}
