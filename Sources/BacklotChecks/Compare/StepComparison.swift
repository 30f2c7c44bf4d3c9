internal import Backlot
internal import BacklotClients

/// Compares two deployments' responses to one step, two from each.
struct StepComparison {
    /// The differences, and the values that the followers learn.
    struct Result: Sendable {
        var differences: [Difference] = []
        /// Whether one server's responses to the same request are too different to compare.
        var isUnstable = false
        /// The number of further differences.
        var notListed = 0
        /// A's texts that change each time.
        var volatileTexts: Set<String> = []
        /// A's texts, each with the text at the same position in another response.
        var pairs: (again: [Pair], b: [Pair], bAgain: [Pair]) = ([], [], [])
    }

    typealias Pair = DocumentComparison.Pair

    let language: AppProtocol
    /// The other protocols that B may speak.
    let others: [AppProtocol]
    /// The request, with A's response.
    let step: ComparisonBaseline.Step
    let b: ComparedResponse
    /// B's second response; nil if there was no second request.
    let bAgain: ComparedResponse?
    let volatile: VolatileText
    let baseURL: String
    /// The released clients that can use A at all; nil for every client.
    var users: Set<ClientVersion>?

    var a: ComparedResponse { step.response }
    /// A's second response; nil if there was no second request.
    var again: ComparedResponse? { step.again }
    /// The name of the page.
    var path: String { step.path }
    private var request: ClientRequest { step.request }
    private var terms: ComparisonTerms { .deployments(volatile) }

    /// Whether each side's second response has the same value.
    private func isSteady(_ value: (ComparedResponse) -> some Equatable) -> Bool {
        (again.map { value($0) == value(a) } ?? true) && (bAgain.map { value($0) == value(b) } ?? true)
    }

    private var comparison: ResponseComparison {
        let accept = request.headers[.accept]
        let isPage = accept != nil && accept == language.pages?.contentType && request.method == .get
        return ResponseComparison(terms: terms, protocols: [language], isPage: isPage)
    }

    func result() -> Result {
        guard let was = a.response else {
            // If A's own page doesn't get a response, B can't be judged by it.
            let isNew = b.response != nil && again?.response == nil
            let difference = Difference("answers-now", .neutral, "A doesn't respond, and B does.")
            return Result(differences: isNew ? [difference] : [])
        }
        guard let now = b.response else {
            guard bAgain?.response == nil else { return Result(isUnstable: true) }
            let reason = b.failure.map { "\($0)" } ?? "none"
            return Result(differences: [Difference("no-answer", .breaking, "B doesn't respond: \(reason).")])
        }
        // A backend may reject a repeated call, such as a sign-up with a name that is now taken.
        if request.method == .get, !isSteady({ $0.response?.status }) { return Result(isUnstable: true) }
        guard was.status == now.status else { return Result(differences: [status(was, now)]) }
        var found = headers(was, now) + redirect()
        if [.clientError, .serverError].contains(was.status.kind) {
            return Result(differences: found + refusal(was, now))
        }
        if let difference = comparison.emptiness(was, now) { return Result(differences: found + [difference]) }
        if let difference = otherProtocol() { return Result(differences: [difference]) }
        found += [comparison.mediaType(was, now)].compactMap(\.self)
        if let difference = body(was, now) { return Result(differences: found + [difference]) }
        guard let one = a.document, let two = b.document else { return Result(differences: found) }
        var result = documents(one, two)
        result.differences = found + result.differences
        return result
    }

    private func status(_ was: ClientResponse, _ now: ClientResponse) -> Difference {
        let difference = comparison.status(was, now, to: request)
        let text = now.status.kind == .clientError && !now.firstLine.isEmpty ? " " + now.firstLine.inQuotes : ""
        let isTold = difference.message.contains(text.dropFirst())
        let kind = Difference.Kind(ofStatus: was.status, now.status)
        return difference.retold(kind, difference.message + (isTold ? "" : text))
    }

    private func headers(_ was: ClientResponse, _ now: ClientResponse) -> [Difference] {
        func differences(_ one: ClientResponse, _ two: ClientResponse?) -> [Difference] {
            guard let two else { return [] }
            var comparison = comparison
            for name in one.headers.map(\.name) where comparison.statedHeaders.count < 100 {
                if !comparison.statedHeaders.contains(name) { comparison.statedHeaders.append(name) }
            }
            return comparison.cookies(one, two) + comparison.fields(one, two)
        }
        /// The subject of a difference, which comes and goes as a whole.
        func subject(_ difference: Difference) -> String {
            let isOfAll = ["cookie-changed", "cache-control-changed"].contains(difference.rule)
            return difference.rule.prefix { $0 != "-" } + " " + (isOfAll ? "" : difference.was ?? difference.now ?? "")
        }
        // Some header fields come and go, such as rate limits and cookies. Their differences don't count.
        let passing = differences(was, again?.response) + differences(now, bAgain?.response)
        let own = Set(passing.map(subject))
        return differences(was, now).filter { !own.contains(subject($0)) }
    }

    /// The sides' mock files that are broken, so that the page isn't what its file says.
    var brokenFiles: [Difference] {
        let (one, two) = (a.response?.brokenFile, b.response?.brokenFile)
        return [
            one.map { Difference("broken-mock-file", .visible, was: $0.file, "A's \($0.sentence)") },
            two.map { Difference("broken-mock-file", .visible, now: $0.file, "B's \($0.sentence)") },
        ]
        .compactMap(\.self)
    }

    private func redirect() -> [Difference] {
        let (old, new) = (a.end, b.end)
        guard old.map(volatile.masked) != new.map(volatile.masked), isSteady({ $0.end.map(volatile.masked) })
        else { return [] }
        let places = [old, new].map { ($0 ?? "no redirect").cut(to: 100) }
        let message = "A redirects to \(places[0]), and B to \(places[1])."
        return [Difference("redirect-changed", .visible, was: old, now: new, message)]
    }

    // MARK: Bodies

    private func refusal(_ was: ClientResponse, _ now: ClientResponse) -> [Difference] {
        let (old, new) = (was.text, now.text)
        guard [403, 422].contains(was.status.code), !volatile.isSame(old, new), isSteady({ $0.response?.text })
        else { return [] }
        let texts = [old, new].map { $0.cut(to: 100).inQuotes }
        let message = "The text of the refusal was \(texts[0]), and is \(texts[1])."
        return [Difference("error-text-changed", .visible, was: old, now: new, message)]
    }

    private func otherProtocol() -> Difference? {
        let found = [a, b].map { $0.document.flatMap(([language] + others).recognising) }
        guard found[0] == language, let other = found[1], other != language else { return nil }
        return Difference("protocol-changed", .breaking, "A speaks \(language.title), and B \(other.title).")
    }

    /// The difference between the bodies; nil for equal bodies. Documents of the same kind are compared elsewhere, so they also
    /// give nil.
    private func body(_ was: ClientResponse, _ now: ClientResponse) -> Difference? {
        let (old, new) = (was.text, now.text)
        if let known = a.document {
            return comparison.kindOfDocument(known, b.document, now, language.reading(known, at: request.url))
        }
        guard was.body != now.body, was.isSum || !volatile.isSame(old, new), isSteady({ $0.response?.body })
        else { return nil }
        let noun = was.mediaType?.hasPrefix("image/") == true ? "picture" : "file"
        return Difference("\(noun)-changed", .visible, "The \(noun) is another.")
    }

    private func documents(_ one: JSONValue, _ two: JSONValue) -> Result {
        guard !a.isSame(as: b) || again.map({ !a.isSame(as: $0) }) ?? false else { return Result() }
        let reading = language.reading(one, at: request.url)
        func document(_ value: JSONValue) -> ComparedDocument { ComparedDocument(value, reading) }
        let (was, now) = (document(one), document(two))
        let again = again?.document.map(document)
        let bAgain = bAgain?.document.map(document)
        let own = again.map { DocumentComparison(was, $0, terms) }
        let places = (
            VolatilePlaces(own?.differences ?? []),
            VolatilePlaces(bAgain.map { DocumentComparison(now, $0, terms).differences } ?? [])
        )
        let both = DocumentComparison(was, now, terms) { difference in
            places.0.hold(difference, isNow: false) || places.1.hold(difference, isNow: true)
        }
        var result = Result(notListed: both.dropped, volatileTexts: Set(own?.pairs.map(\.was) ?? []))
        result.pairs = (own?.pairs ?? [], both.pairs, [])
        if let bAgain, !both.pairs.isEmpty || !result.volatileTexts.isEmpty {
            result.pairs.bAgain = DocumentComparison(was, bAgain, terms).pairs
        }
        result.differences = both.differences
        // Rules and versions come last, since checking every release takes time.
        guard let reading, !both.differences.isEmpty else { return result }
        func broken(_ value: JSONValue) -> [Finding] {
            reading.inspector.findings(in: value, path: path, app: nil)
        }
        func counts(_ value: JSONValue?) -> Counts<String>? { value.map { Counts(broken($0).map(\.rule)) } }
        var known = Counts(broken(one).map(\.rule))
        if let other = counts(again?.value) { known.merge(other) }
        var rules = BrokenRules(terms, in: variables(both, again) + retyped(was, now))
        rules.add(broken(two), known: known, lasting: counts(bAgain?.value))
        result.differences = rules.differences
        result.notListed += rules.notListed
        let refusals = rules.refusals
        result.differences +=
            ComparedReleases(reading)?.differences(one, two, users: users, baseURL: baseURL, knownReasons: refusals)
            ?? []
        return result
    }

    /// Reports each variable that the page has lost, but not variables that only moved.
    private func variables(_ both: DocumentComparison, _ again: ComparedDocument?) -> [Difference] {
        let names = Set(both.now.variables.map(\.name))
        let changed = both.differences.filter { ["variable-removed", "variable-changed"].contains($0.rule) }
        let moved = names.intersection(changed.filter { $0.rule == "variable-removed" }.compactMap(\.variable))
        let found = both.differences.compactMap { difference -> Difference? in
            guard let variable = difference.variable, moved.contains(variable) else { return difference }
            switch difference.rule {
            case "variable-removed":
                let message = "The input of \(variable.quoted) is at another place."
                return difference.retold(as: "widget-moved", .visible, message)
            // The added input is the one that has moved.
            case "variable-added": return nil
            default: return difference
            }
        }
        let named = names.union(changed.compactMap(\.variable))
        let lasting = again.map { Set($0.variables.map(\.name)) }
        let gone = both.was.variables.filter { !named.contains($0.name) && lasting?.contains($0.name) ?? true }
        return found
            + gone.map { variable in
                let name = variable.name
                let message = "B has no input for the variable \(name.quoted) any more, so that clients don't send it."
                return Difference("variable-removed", .breaking, at: variable.path, was: name, message)
            }
    }

    /// The variables with inputs of another value type.
    private func retyped(_ was: ComparedDocument, _ now: ComparedDocument) -> [Difference] {
        guard let inputs = now.language?.pages?.inputs else { return [] }
        let types = [was, now].map { inputs($0.value).mapValues { $0 ? "a boolean" : "a text" } }
        return now.variables.compactMap { variable in
            let name = variable.name
            guard let old = types[0][name], let new = types[1][name], old != new else { return nil }
            let message = "The variable \(name.quoted) was \(old), and is \(new)."
            return Difference("variable-retyped", .breaking, at: variable.path, was: old, now: new, message)
        }
    }

    // MARK: A side's own changes

    /// The places of a side's page that changed by themselves; empty if the side now responds differently.
    ///
    /// - Parameter onlyValues: whether a page with other parts counts as another page.
    func passing(_ first: ComparedResponse, _ later: ComparedResponse?, onlyValues: Bool) -> VolatilePlaces {
        guard let later, first.end == later.end, first.response?.status == later.response?.status,
            let one = first.document, let two = later.document, one != two
        else { return VolatilePlaces([]) }
        let reading = language.reading(one, at: request.url)
        var terms = terms
        (terms.isSameText, terms.route) = ({ $0 == $1 }, { $0 })
        let comparison = DocumentComparison(ComparedDocument(one, reading), ComparedDocument(two, reading), terms)
        let isOther = onlyValues && !comparison.differences.allSatisfy(\.isOfValue)
        return VolatilePlaces(isOther ? [] : comparison.differences)
    }
}
