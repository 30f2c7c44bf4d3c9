internal import Backlot
internal import BacklotClients
internal import BacklotJSON
internal import HTTPTypes

/// Compares what two deployments have answered to one step, twice each.
struct StepComparison {
    /// What both sides have answered.
    struct Responses: Sendable {
        let a: ComparedResponse
        /// A's second response; nil where it wasn't asked again.
        let again: ComparedResponse?
        let b: ComparedResponse
        /// B's second response; nil where it wasn't asked again.
        let bAgain: ComparedResponse?

        /// Whether no side has said something else the second time.
        func areSteady(_ value: (ComparedResponse) -> some Equatable) -> Bool {
            (again.map { value($0) == value(a) } ?? true) && (bAgain.map { value($0) == value(b) } ?? true)
        }
    }

    /// What differs, and what the followers learn.
    struct Result: Sendable {
        var differences: [Difference] = []
        /// Whether one server answered the same request so differently that its responses can't be compared.
        var isUnstable = false
        /// How many further differences there are.
        var notListed = 0
        /// A's texts that are others each time.
        var volatileTexts: Set<String> = []
        /// A's texts, and those that stand in their places in the other responses.
        var pairs: (again: [Pair], b: [Pair], bAgain: [Pair]) = ([], [], [])
    }

    typealias Pair = DocumentComparison.Pair

    let language: ComparedProtocol
    let request: ClientRequest
    /// The name of the page.
    let path: String
    let volatile: VolatileText
    let baseURL: String
    /// The released clients that can use A at all; nil for every client.
    var users: Set<ClientVersion>?

    private var terms: ComparisonTerms { .deployments(volatile) }

    private var comparison: ResponseComparison {
        let isPage = request.headers[.accept] == ComparedProtocol.pages?.contentType && request.method == .get
        return ResponseComparison(terms: terms, isPage: isPage)
    }

    func result(_ all: Responses) -> Result {
        guard let was = all.a.response else {
            // A page that A itself doesn't answer says nothing of B.
            let isNew = all.b.response != nil && all.again?.response == nil
            return Result(
                differences: isNew ? [Difference("answers-now", .neutral, "A gives no answer, and B does.")] : []
            )
        }
        guard let now = all.b.response else {
            guard all.bAgain?.response == nil else { return Result(isUnstable: true) }
            let reason = all.b.failure.map { "\($0)" } ?? "none"
            return Result(differences: [Difference("no-answer", .breaking, "B gives no answer: \(reason).")])
        }
        // A call may be refused when it comes again, such as an account whose name is taken by then.
        if request.method == .get, !all.areSteady({ $0.response?.status }) { return Result(isUnstable: true) }
        guard was.status == now.status else { return Result(differences: [status(was, now)]) }
        var result = Result(differences: headers(all, was, now))
        let ends = [all.a.end, all.b.end].map { $0.map(volatile.masked) }
        if ends[0] != ends[1], all.areSteady({ $0.end.map(volatile.masked) }) {
            let places = [all.a.end, all.b.end].map { ($0 ?? "no redirect").cut(to: 100) }
            let message = "A redirects to \(places[0]), and B to \(places[1])."
            result.differences.append(
                Difference("redirect-changed", .visible, was: all.a.end, now: all.b.end, message)
            )
        }
        compareBodies(all, was, now, &result)
        return result
    }

    private func status(_ was: ClientResponse, _ now: ClientResponse) -> Difference {
        let difference = comparison.status(was, now, to: request)
        let text = now.status.kind == .clientError && !now.firstLine.isEmpty ? now.firstLine.inQuotes : ""
        let isTold = text.isEmpty || difference.message.contains(text)
        return difference.retold(
            Difference.Kind(ofStatus: was.status, now.status),
            isTold ? difference.message : "\(difference.message) \(text)"
        )
    }

    private func headers(_ all: Responses, _ was: ClientResponse, _ now: ClientResponse) -> [Difference] {
        func differences(_ one: ClientResponse, _ two: ClientResponse?) -> [Difference] {
            guard let two else { return [] }
            var comparison = comparison
            for name in one.headers.map(\.name)
            where !comparison.statedHeaders.contains(name) && comparison.statedHeaders.count < 100 {
                comparison.statedHeaders.append(name)
            }
            return comparison.cookies(one, two) + comparison.fields(one, two)
        }
        /// What comes and goes.
        func subject(_ difference: Difference) -> String {
            let isOfAll = ["cookie-changed", "cache-control-changed"].contains(difference.rule)
            return difference.rule.prefix { $0 != "-" } + " " + (isOfAll ? "" : difference.was ?? difference.now ?? "")
        }
        // Rate limits and cookies come and go: those that do so don't count.
        let passing = differences(was, all.again?.response) + differences(now, all.bAgain?.response)
        let own = Set(passing.map(subject))
        return differences(was, now).filter { !own.contains(subject($0)) }
    }

    // MARK: Bodies

    private func compareBodies(
        _ all: Responses,
        _ was: ClientResponse,
        _ now: ClientResponse,
        _ result: inout Result
    ) {
        let (old, new) = (was.text, now.text)
        if [.clientError, .serverError].contains(was.status.kind) {
            guard [403, 422].contains(was.status.code), !volatile.isSame(old, new),
                all.areSteady({ $0.response?.text })
            else { return }
            let texts = [old, new].map { $0.cut(to: 100).inQuotes }
            let message = "The text of the refusal was \(texts[0]), and is \(texts[1])."
            return result.differences.append(
                Difference("error-text-changed", .visible, was: old, now: new, message)
            )
        }
        if let difference = comparison.emptiness(was, now) { return result.differences.append(difference) }
        let documents = (a: all.a.document, b: all.b.document)
        if documents.a.flatMap({ ComparedProtocol(ofKeys: $0) })?.wire == language.wire,
            let other = documents.b.flatMap({ ComparedProtocol(ofKeys: $0) }), other.wire != language.wire
        {
            let message = "A speaks \(language.title), and B \(other.title)."
            result.differences = [Difference("protocol-changed", .breaking, message)]
            return
        }
        result.differences += [comparison.mediaType(was, now)].compactMap(\.self)
        guard let known = documents.a else {
            guard was.body != now.body, was.isSum || !volatile.isSame(old, new),
                all.areSteady({ $0.response?.body })
            else { return }
            let noun = was.mediaType?.hasPrefix("image/") == true ? "picture" : "file"
            return result.differences.append(Difference("\(noun)-changed", .visible, "The \(noun) is another."))
        }
        let reading = language.reading(known, at: request.url)
        if let difference = comparison.kindOfDocument(known, documents.b, now, reading) {
            result.differences.append(difference)
        } else if let found = documents.b {
            compareDocuments(all, known, found, reading, &result)
        }
    }

    private func compareDocuments(
        _ all: Responses,
        _ a: JSONValue,
        _ b: JSONValue,
        _ reading: ComparedProtocol?,
        _ result: inout Result
    ) {
        guard !all.a.isSame(as: all.b) || all.again.map({ !all.a.isSame(as: $0) }) ?? false else { return }
        func document(_ value: JSONValue) -> ComparedDocument { ComparedDocument(value, reading) }
        let (was, now) = (document(a), document(b))
        let again = all.again?.document.map(document)
        let bAgain = all.bAgain?.document.map(document)
        let own = again.map { DocumentComparison(was, $0, terms) }
        let others = bAgain.map { DocumentComparison(now, $0, terms) }
        let places = [own, others].map { VolatilePlaces($0?.differences ?? []) }
        let both = DocumentComparison(was, now, terms) { difference in
            places[0].hold(difference, isNow: false) || places[1].hold(difference, isNow: true)
        }
        result.volatileTexts = Set(own?.pairs.map(\.was) ?? [])
        result.pairs = (own?.pairs ?? [], both.pairs, [])
        if let bAgain, !both.pairs.isEmpty || !result.volatileTexts.isEmpty {
            result.pairs.bAgain = DocumentComparison(was, bAgain, terms).pairs
        }
        result.notListed += both.dropped
        // Rules and versions are looked at last, since each page is judged for every release.
        guard a != b, !both.differences.isEmpty else { return }
        guard let reading else { return result.differences += both.differences }
        let differences = variables(both, again) + retyped(was, now)
        func broken(_ value: JSONValue?) -> Counts<String>? {
            value.map { Counts(reading.findings($0, path).map(\.rule)) }
        }
        var rules = BrokenRules(terms, in: differences)
        var known = Counts(reading.findings(a, path).map(\.rule))
        if let other = broken(all.again?.document) { known.merge(other) }
        rules.add(reading.findings(b, path), known: known, lasting: broken(all.bAgain?.document))
        result.differences += rules.differences
        result.notListed += rules.notListed
        if let releases = reading.releases {
            result.differences += releases.differences(
                a,
                b,
                users: users,
                baseURL: baseURL,
                knownReasons: rules.refusals
            )
        }
    }

    /// Sees to it that each variable that is gone from the page is named, and none that has only moved.
    private func variables(_ both: DocumentComparison, _ again: ComparedDocument?) -> [Difference] {
        let names = Set(both.now.variables.map(\.name))
        let changed = both.differences.filter { ["variable-removed", "variable-changed"].contains($0.rule) }
        let moved = Set(changed.filter { $0.rule == "variable-removed" }.compactMap(\.variable)).intersection(names)
        var found: [Difference] = []
        for difference in both.differences {
            switch (difference.rule, difference.variable) {
            case ("variable-removed", let variable?) where moved.contains(variable):
                let message = "The input of \(variable.quoted) is at another place."
                found.append(difference.retold(as: "widget-moved", .visible, message))
            // What was added in its place has moved there.
            case ("variable-added", let variable?) where moved.contains(variable): break
            default: found.append(difference)
            }
        }
        let named = names.union(changed.compactMap(\.variable))
        let lasting = again.map { Set($0.variables.map(\.name)) }
        for variable in both.was.variables where !named.contains(variable.name) {
            let name = variable.name
            guard lasting?.contains(name) ?? true else { continue }
            let message = "B has no input for the variable \(name.quoted) any more, so that clients don't send it."
            found.append(Difference("variable-removed", .breaking, at: variable.path, was: name, message))
        }
        return found
    }

    /// The variables whose inputs have values of another type.
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

    // MARK: What changes by itself

    /// The places of a side's page that have changed by themselves; none where it answers otherwise by now.
    ///
    /// - Parameter onlyValues: whether a page with other parts is another page.
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
