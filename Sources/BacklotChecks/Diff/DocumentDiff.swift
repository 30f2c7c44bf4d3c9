internal import Applin
internal import Backlot
internal import BacklotClients
internal import BacklotJSON
internal import BacklotMocks
internal import DynamicViews

/// Compares the documents of two answers: by the tree that all protocols share, by the judges' rules and by released clients.
struct DocumentDiff {
    let step: AnswerDiff
    let answers: AnswerDiff.Answers
    let a: JSONValue
    let b: JSONValue

    func compare(_ result: inout AnswerDiff.Result) {
        let words = AnswerWords(of: a, step.wire, step.request)
        if step.wire == .applin, words != nil, b["page"]?["typ"]?.string == nil {
            let text = "\(b)".cut(to: 60)
            result.differences.append(
                step.difference(.breaking, "no-page", "A answers with a page, and B with other JSON: \(text).")
            )
            return
        }
        if step.wire == .xpedite, let change = drift.returnCode(a, b) {
            let text = b["components"]?[0]?["text"]?.string.map { ": \($0.cut(to: 100).inQuotes)" } ?? ""
            let isRefused = a["rc"] == 0
            result.differences.append(
                step.difference(
                    isRefused ? .breaking : .visible,
                    change.rule,
                    change.message.dropLast() + text + ".",
                    change
                )
            )
            return
        }
        guard answers.a.isSame(as: answers.b) == false || answers.again.map({ !answers.a.isSame(as: $0) }) ?? false
        else {
            return
        }
        let own = answers.again?.document.map { drift(a, $0, words) }
        let others = answers.bAgain?.document.map { drift(b, $0, words) }
        let places = [own, others].map { VolatilePlaces($0?.changes ?? []) }
        let both = drift(a, b, words) { change in
            places[0].hold(change, at: change.ownPlace)
                || places[1].hold(change, at: change.now == nil ? change.ownPlace : change.pointer)
        }
        result.volatileTexts = Set(own?.pairs.map(\.mock) ?? [])
        result.pairs = (own?.pairs ?? [], both.pairs, [])
        if let document = answers.bAgain?.document, !both.pairs.isEmpty || !result.volatileTexts.isEmpty {
            result.pairs.bAgain = drift(a, document, words).pairs
        }
        guard a != b else { return }
        let changes = both.changes
        result.notListed += both.dropped
        // Rules and versions are looked at last, since each page is judged for every release.
        guard !changes.isEmpty else { return }
        var found = changes.map { change in
            step.difference(DiffRules.classOf(change, isPlainJSON: words == nil), change.rule, change.message, change)
        }
        if let words {
            compareVariables(words, changes, &found)
            let broken = compareRules(words, changes, &found, &result.notListed)
            if step.wire == .applin, a["page"] != nil {
                found += VersionDiff(step: step).differences(a, b, knownReasons: broken)
            }
        }
        result.differences += found
    }

    private var drift: AnswerDrift {
        AnswerDrift(
            isPage: step.isPage,
            logsIn: true,
            statedHeaders: [],
            comparesValues: true,
            sides: AnswerDiff.sides,
            route: { $0 }
        )
    }

    private func drift(
        _ one: JSONValue,
        _ two: JSONValue,
        _ words: AnswerWords?,
        ignoring: @escaping (DriftChange) -> Bool = { _ in false }
    ) -> DocumentDrift {
        DocumentDrift(
            mock: one,
            backend: two,
            words: words,
            depth: .all,
            sides: AnswerDiff.sides,
            isSameText: { [volatile = step.volatile] in volatile.isSame($0, $1) },
            most: VolatilePlaces.mostChanges,
            ignoring: ignoring,
            route: { [volatile = step.volatile] in volatile.masked($0) }
        )
    }

    // MARK: Variables

    /// Sees to it that each variable that is gone from the page is named, and none that has only moved.
    private func compareVariables(
        _ words: AnswerWords,
        _ changes: [DriftChange],
        _ found: inout [DiffReport.Difference]
    ) {
        let (was, now) = (words.variables(in: a), words.variables(in: b))
        let names = Set(now.map(\.name))
        for (index, change) in changes.enumerated() where change.rule == "variable-removed" {
            guard let variable = change.variable, names.contains(variable) else { continue }
            found[index] = step.difference(
                .visible,
                "widget-moved",
                "The input of \(variable.quoted) is at another place.",
                change
            )
        }
        // What was added in its place has moved there.
        let moved = Set(changes.compactMap { $0.rule == "variable-removed" ? $0.variable : nil }).intersection(names)
        found = zip(found, changes).filter { _, change in
            !(change.rule == "variable-added" && change.variable.map(moved.contains) ?? false)
        }
        .map(\.0)
        let named = Set(
            changes.filter { ["variable-removed", "variable-changed"].contains($0.rule) }.compactMap(\.variable)
        )
        let again = answers.again?.document.map { Set(words.variables(in: $0).map(\.name)) }
        for (name, steps, pointer) in was where !names.contains(name) && !named.contains(name) {
            guard again?.contains(name) ?? true else { continue }
            found.append(
                step.difference(
                    .breaking,
                    "variable-removed",
                    "B has no input for the variable \(name.quoted) any more, so that clients don't send it.",
                    steps: steps,
                    at: pointer,
                    was: name
                )
            )
        }
        guard step.wire == .applin else { return }
        let types = [a, b].map { document in
            PageContents(document["page"] ?? .null).inputs.reduce(into: [String: Bool]()) {
                $0[$1.name] = $1.initial.bool != nil
            }
        }
        for (name, steps, pointer) in now {
            guard let was = types[0][name], let isBool = types[1][name], was != isBool else { continue }
            found.append(
                step.difference(
                    .breaking,
                    "variable-retyped",
                    "The variable \(name.quoted) was \(was ? "a boolean" : "a text"), and is \(isBool ? "a boolean" : "a text").",
                    steps: steps,
                    at: pointer,
                    was: was ? "a boolean" : "a text",
                    now: isBool ? "a boolean" : "a text"
                )
            )
        }
    }

    // MARK: Rules

    /// Adds the rules that B's page breaks and A's doesn't. A difference that breaks one is explained by it.
    ///
    /// - Returns: the rules that clients refuse the page for.
    private func compareRules(
        _ words: AnswerWords,
        _ changes: [DriftChange],
        _ found: inout [DiffReport.Difference],
        _ notListed: inout Int
    ) -> Set<String> {
        func counts(_ document: JSONValue?) -> [String: Int] {
            document.map { words.findings($0, step.path) }?.reduce(into: [:]) { $0[$1.rule, default: 0] += 1 } ?? [:]
        }
        var known = counts(a).merging(counts(answers.again?.document)) { max($0, $1) }
        var lasting = answers.bAgain?.document.map { counts($0) }
        var refusals: Set<String> = []
        let near = NearDifferences(found, changes)
        var listed: [DiffClass: Int] = [:]
        for finding in words.findings(b, step.path) {
            if let count = known[finding.rule], count > 0 {
                known[finding.rule] = count - 1
                continue
            }
            if lasting != nil {
                guard let count = lasting?[finding.rule], count > 0 else { continue }
                lasting?[finding.rule] = count - 1
            }
            if finding.isRejection { refusals.insert(finding.rule) }
            let kind: DiffClass = finding.severity == .error ? .breaking : .visible
            guard listed[kind, default: 0] < DiffFindings.mostPerPage else {
                notListed += 1
                continue
            }
            listed[kind, default: 0] += 1
            let message = "\(finding.message) \(finding.fix)"
            if let index = near.first(at: finding.path.pointer) {
                // What clients pass over is no worse for a warning.
                let isHarmless = found[index].kind == .neutral && kind != .breaking
                found[index].explain(message, isHarmless ? .neutral : max(found[index].kind, kind))
                continue
            }
            found.append(
                step.difference(
                    kind,
                    finding.rule,
                    "B's page breaks a rule that A's follows: \(message)",
                    steps: finding.path.steps,
                    at: finding.path.pointer
                )
            )
        }
        return refusals
    }
}

/// Finds the difference that a broken rule explains: the first that is at its place, around it or just below it.
private struct NearDifferences {
    private struct Key: Hashable {
        let rule: String
        let pointer: String
    }

    private var at: [String: Int] = [:]
    private var below: [String: Int] = [:]

    init(_ found: [DiffReport.Difference], _ changes: [DriftChange]) {
        let keys = Set(changes.map { Key(rule: $0.rule, pointer: $0.pointer) })
        for (index, difference) in found.enumerated() {
            let pointer = difference.finding.path.pointer
            guard !pointer.isEmpty, keys.contains(Key(rule: difference.finding.rule, pointer: pointer)) else {
                continue
            }
            if at[pointer] == nil { at[pointer] = index }
            let parent = VolatilePlaces.parent(of: pointer)
            if below[parent] == nil { below[parent] = index }
        }
    }

    /// The index of the difference.
    func first(at pointer: String) -> Int? {
        guard !pointer.isEmpty, !at.isEmpty else { return nil }
        var first = below[pointer]
        var around = pointer
        while !around.isEmpty {
            if let index = at[around] { first = min(first ?? index, index) }
            around = VolatilePlaces.parent(of: around)
        }
        return first
    }
}
