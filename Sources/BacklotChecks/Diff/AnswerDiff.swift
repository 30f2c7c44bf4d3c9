internal import Applin
internal import Backlot
internal import BacklotClients
internal import BacklotJSON
internal import BacklotMocks
internal import DynamicViews
internal import HTTPTypes

/// Compares what two sides have answered to one step, twice each.
struct AnswerDiff {
    /// What both sides have answered.
    struct Answers: Sendable {
        let a: DiffAnswer
        /// A's second answer; nil where it wasn't asked again.
        let again: DiffAnswer?
        let b: DiffAnswer
        /// B's second answer; nil where it wasn't asked again.
        let bAgain: DiffAnswer?
    }

    static let sides = DriftSides(was: "A", now: "B")

    let wire: CrawlWire
    let request: ClientRequest
    /// The name of the page.
    let path: String
    let volatile: VolatileText
    let baseURL: String
    /// The released clients that can use A at all; nil for every client.
    var clients: Set<ClientVersion>?

    /// What differs, and what the followers learn.
    struct Result: Sendable {
        var differences: [DiffReport.Difference] = []
        /// Whether one server answered the same request so differently that its answers can't be compared.
        var isUnstable = false
        /// How many further differences there are.
        var notListed = 0
        /// A's texts that are others each time.
        var volatileTexts: Set<String> = []
        /// A's texts, and those that stand in their places in the other answers.
        var pairs: (again: [DocumentDrift.Pair], b: [DocumentDrift.Pair], bAgain: [DocumentDrift.Pair]) = ([], [], [])
    }

    var isPage: Bool { request.headers[.accept] == AnswerJudge.pageType && request.method == .get }

    func result(_ answers: Answers) -> Result {
        var result = Result()
        let (a, b) = (answers.a, answers.b)
        guard let was = a.response else {
            // A page that A itself doesn't answer says nothing of B.
            if b.response != nil, answers.again.map({ $0.response == nil }) ?? true {
                result.differences = [difference(.neutral, "answers-now", "A gives no answer, and B does.")]
            }
            return result
        }
        guard let now = b.response else {
            guard answers.bAgain.map({ $0.response == nil }) ?? true else { return unstable }
            let reason = b.failure.map { "\($0)" } ?? "none"
            result.differences = [difference(.breaking, "no-answer", "B gives no answer: \(reason).")]
            return result
        }
        if was.status != now.status {
            // A call may be refused when it comes again, such as an account whose name is taken by then.
            let isCall = request.method != .get
            if !isCall, isOther(was.status, answers.again) || isOther(now.status, answers.bAgain) { return unstable }
            let change = drift.statusChanged(exchange(was, now), now)
            let line = String(now.text.prefix { !$0.isNewline }).cut(to: 100)
            let text = now.status.kind == .clientError && !line.isEmpty ? line.inQuotes : ""
            let message = text.isEmpty || change.message.contains(text) ? change.message : "\(change.message) \(text)"
            result.differences = [
                difference(DiffRules.classOf(status: was.status, now.status), change.rule, message, change)
            ]
            return result
        }
        if request.method == .get, isOther(was.status, answers.again) || isOther(now.status, answers.bAgain) {
            return unstable
        }
        result.differences += headers(answers, was, now)
        if masked(a.end) != masked(b.end), answers.again.map({ masked($0.end) == masked(a.end) }) ?? true,
            answers.bAgain.map({ masked($0.end) == masked(b.end) }) ?? true
        {
            let places = (a.end ?? "no redirect", b.end ?? "no redirect")
            result.differences.append(
                difference(
                    .visible,
                    "redirect-changed",
                    "A redirects to \(places.0.cut(to: 100)), and B to \(places.1.cut(to: 100)).",
                    was: a.end,
                    now: b.end
                )
            )
        }
        compareBodies(answers, was, now, &result)
        return result
    }

    private var unstable: Result {
        var result = Result()
        result.isUnstable = true
        return result
    }

    private func masked(_ end: String?) -> String? { end.map(volatile.masked) }

    private func isOther(_ status: HTTPResponse.Status, _ again: DiffAnswer?) -> Bool {
        again.map { $0.response?.status != status } ?? false
    }

    // MARK: Header fields

    /// What comes and goes.
    private struct HeaderChange: Hashable {
        let noun: Substring
        let name: String?

        init(_ change: DriftChange) {
            noun = change.rule.prefix { $0 != "-" }
            name = ["cookie-changed", "cache-control-changed"].contains(change.rule) ? nil : change.was ?? change.now
        }
    }

    private var drift: AnswerDrift { drift(stating: []) }

    private func drift(stating headers: [HTTPField.Name]) -> AnswerDrift {
        AnswerDrift(
            isPage: isPage,
            logsIn: true,
            statedHeaders: headers,
            comparesValues: true,
            sides: Self.sides,
            route: { [volatile] in volatile.masked($0) }
        )
    }

    private func exchange(_ was: ClientResponse, _ now: ClientResponse) -> DriftExchange {
        DriftExchange(request: request, mockRequest: request, mock: was, backend: .success(now))
    }

    private func headers(
        _ answers: Answers,
        _ was: ClientResponse,
        _ now: ClientResponse
    ) -> [DiffReport.Difference] {
        func changes(_ one: ClientResponse, _ two: ClientResponse) -> [DriftChange] {
            let (one, two) = (one.withFewCookies, two.withFewCookies)
            var names: [HTTPField.Name] = []
            for field in one.headers where !names.contains(field.name) && names.count < 100 { names.append(field.name) }
            let drift = drift(stating: names)
            return drift.cookies(one, two) + drift.otherFields(one, two)
        }
        var passing: [DriftChange] = []
        if let again = answers.again?.response { passing += changes(was, again) }
        if let again = answers.bAgain?.response { passing += changes(now, again) }
        // Rate limits and cookies come and go: those that do so don't count.
        let own = Set(passing.map(HeaderChange.init))
        return changes(was, now).filter { !own.contains(HeaderChange($0)) }
            .map { difference(DiffRules.classOf($0, isPlainJSON: false), $0.rule, $0.message, $0) }
    }

    // MARK: Bodies

    private func compareBodies(
        _ answers: Answers,
        _ was: ClientResponse,
        _ now: ClientResponse,
        _ result: inout Result
    ) {
        let isText = was.status.kind == .clientError || was.status.kind == .serverError
        if isText {
            let (one, two) = (was.text, now.text)
            guard [403, 422].contains(was.status.code), !volatile.isSame(one, two),
                answers.again?.response.map({ $0.text == one }) ?? true,
                answers.bAgain?.response.map({ $0.text == two }) ?? true
            else { return }
            let message =
                "The text of the refusal was \(one.cut(to: 100).inQuotes), and is \(two.cut(to: 100).inQuotes)."
            result.differences.append(difference(.visible, "error-text-changed", message, was: one, now: two))
            return
        }
        if was.body.isEmpty != now.body.isEmpty {
            let change = drift.bodyChanged(was, now)
            result.differences.append(
                difference(now.body.isEmpty ? .breaking : .visible, change.rule, change.message, change)
            )
            return
        }
        if let known = answers.a.document.flatMap(AnswerWords.wire), known == wire,
            let found = answers.b.document.flatMap(AnswerWords.wire), found != wire
        {
            let message = "A speaks \(wire.title), and B \(found.title)."
            result.differences = [difference(.breaking, "protocol-changed", message)]
            return
        }
        if was.mediaType != now.mediaType, !was.body.isEmpty {
            // Of what clients ask for as pages they read nothing else.
            let isRefused = was.mediaType == AnswerJudge.pageType
            let types = (was.mediaType ?? "missing", now.mediaType ?? "missing")
            result.differences.append(
                difference(
                    isRefused ? .breaking : .visible,
                    "content-type-changed",
                    "The media type was \(types.0), and is \(types.1)\(isRefused ? ", and clients refuse the page" : "").",
                    was: was.mediaType,
                    now: now.mediaType
                )
            )
        }
        guard let known = answers.a.document else {
            guard was.body != now.body, was.isSum || !volatile.isSame(was.text, now.text),
                answers.again?.response.map({ $0.body == was.body }) ?? true,
                answers.bAgain?.response.map({ $0.body == now.body }) ?? true
            else { return }
            let isPicture = was.mediaType?.hasPrefix("image/") == true
            let noun = isPicture ? "picture" : "file"
            result.differences.append(difference(.visible, "\(noun)-changed", "The \(noun) is another."))
            return
        }
        guard let found = answers.b.document else {
            let change = drift.document(was, now, nil, path: path).first
            result.differences.append(
                difference(.breaking, "not-json", change?.message ?? "A answers with JSON, and B doesn't.", change)
            )
            return
        }
        DocumentDiff(step: self, answers: answers, a: known, b: found).compare(&result)
    }

    // MARK: Differences

    func difference(
        _ kind: DiffClass,
        _ rule: String,
        _ message: String,
        _ change: DriftChange
    ) -> DiffReport.Difference {
        var difference = difference(
            kind,
            rule,
            message,
            steps: change.steps,
            at: change.pointer,
            was: change.was,
            now: change.now
        )
        difference.place = change.ownPlace
        return difference
    }

    func difference(
        _ kind: DiffClass,
        _ rule: String,
        _ message: String,
        _ change: DriftChange?
    ) -> DiffReport.Difference {
        change.map { difference(kind, rule, message, $0) } ?? difference(kind, rule, message)
    }

    func difference(
        _ kind: DiffClass,
        _ rule: String,
        _ message: String,
        steps: [String] = [],
        at pointer: String = "",
        was: String? = nil,
        now: String? = nil
    ) -> DiffReport.Difference {
        DiffReport.Difference(
            kind: kind,
            finding: Finding(
                kind.severity,
                rule: rule,
                path: FindingPath(page: path, steps: steps, pointer: pointer),
                message: message,
                fix: DiffRules.fix(kind, rule),
                isRejection: false
            ),
            was: was?.cut(to: 200),
            now: now?.cut(to: 200)
        )
    }
}
