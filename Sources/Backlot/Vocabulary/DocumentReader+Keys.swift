/// The kinds and keys of objects.
extension DocumentReader {
    // MARK: Kinds

    mutating func checkKind(of node: DocumentNode, _ name: JSONValue?, only: [String]) {
        guard let kind = node.kind else { return reportNoKind(node, name, only: only) }
        if !node.isRead { return }
        if !kind.support.covers(audience) {
            reportUnsupported(kind, node)
        } else if !only.isEmpty, !only.contains(kind.name) {
            report(
                .error,
                "bad-\(node.key.ruleName)-\(node.role.noun)",
                at: node,
                message: "\(only.map(\.withArticle).alternatives.capitalizedFirst) may stand under \(node.key.quoted), "
                    + "but this is \(kind.noun), so \(vocabulary.readers) \(vocabulary.refusal).",
                fix: "Write \(only.map(\.withArticle).alternatives) here, or remove \(node.key.quoted)."
            )
        }
    }

    private mutating func reportNoKind(_ node: DocumentNode, _ name: JSONValue?, only: [String]) {
        if isNamedByParent(node) { return }
        let noun = node.role.noun
        let known = vocabulary.kinds(as: node.role)
            .filter { $0.support.covers(audience) && (only.isEmpty || only.contains($0.name)) }
        guard let name else {
            guard case .key(let key) = node.role.naming else { return }  // the parent lacks its key, and is reported
            return report(
                .error,
                "missing-\(key.ruleName)",
                at: node,
                message: "This \(noun) has no \(key.quoted), so \(vocabulary.readers) \(vocabulary.refusal).",
                fix: "Add \(key.quoted) with the name of \(noun.withArticle), such as "
                    + "\((node.role.example ?? known.first?.name ?? "").quoted)."
            )
        }
        let key = node.role.ownKey ?? ""
        guard let text = name.string else {
            guard node.role.ownKey != nil else { return }
            return report(
                .error,
                "wrong-type",
                at: node,
                JSONPointer.step(key),
                message:
                    "\(key.quoted) is \(name.summary), but must be a string: \(vocabulary.readers) \(vocabulary.refusal).",
                fix: "Make \(key.quoted) a string."
            )
        }
        if !node.isRead { return }
        let names = known.map(\.name)
        let fix =
            if let fix = known.lazy.compactMap({ $0.formerNames[text] }).first {
                fix
            } else if let nearest = Suggestion.nearest(to: text, among: names) {
                "Write \(nearest.quoted), if that is what you mean."
            } else {
                "Write one of \(names.sorted().joined(separator: ", "))."
            }
        report(
            .error,
            node.role.unknownRule,
            at: node,
            node.text == nil && node.role.ownKey != nil ? JSONPointer.step(key) : "",
            message: "There is no \(noun) \(text.quoted), so \(vocabulary.readers) \(vocabulary.refusal).",
            fix: fix
        )
    }

    /// Whether the object around a node lists the names of kinds, so that the reader reports an unknown name there.
    private func isNamedByParent(_ node: DocumentNode) -> Bool {
        guard case .parentKey(let name) = node.role.naming,
            case .oneOf = tree.parent(of: node)?.kind?.key(name, for: audience)?.type
        else { return false }
        return true
    }

    private mutating func reportUnsupported(_ kind: Kind, _ node: DocumentNode) {
        let (clients, others, advice) = outsiders(of: kind.support)
        let noun = node.role.noun
        report(
            .error,
            "\(noun.ruleName)-of-other-\(others)",
            at: node,
            message: "The \(noun) \(kind.name) is unknown to \(clients), so they \(vocabulary.refusal).",
            fix: kind.instead ?? "Use another \(noun), or \(advice)."
        )
    }

    /// The clients that lack support, their difference from the others, and the way for an app to reach the others.
    private func outsiders(of support: Support) -> (noun: String, others: String, advice: String) {
        if let other = vocabulary.audiences.first(where: { $0.dialect != audience.dialect && support.covers($0) }) {
            return (audience.noun, "dialect", other.advice)
        }
        return (support.outsiders ?? audience.noun, "version", "serve the app to other versions only")
    }

    // MARK: Keys

    mutating func checkKeys(of node: DocumentNode, _ kind: Kind) {
        for key in kind.keys where key.support.overlaps(audience) && !node.has(key.name) {
            checkPresence(of: key, node)
        }
        for group in kind.groups { check(group, node) }
        for member in node.object.members where member.key != node.role.ownKey {
            let declared = kind.keys.first { $0.name == member.key }
            if let key = kind.key(member.key, for: audience) {
                check(member.value, ValuePlace(node, key))
                if node.isRead, !member.value.isNull, !key.support.covers(audience) {
                    reportUnsupported(key, node, JSONPointer.step(key.name))
                }
                continue
            }
            let shared = vocabulary.sharedKey(member.key, of: node.role, for: audience)
            let isOfTools = vocabulary.anywhere.contains { $0.name == member.key }
            if node.isRead, !isOfTools, declared == nil || !member.value.isNull {
                reportUnread(member.key, declared, isShared: shared != nil, node, kind)
            }
            if let shared { check(member.value, ValuePlace(node, shared, isForeign: true)) }
        }
    }

    /// Checks an object that clients decode and then ignore: only the types of its values matter.
    mutating func checkSharedKeys(of node: DocumentNode) {
        for member in node.object.members where member.key != node.role.ownKey {
            guard let key = vocabulary.sharedKey(member.key, of: node.role, for: audience) else { continue }
            check(member.value, ValuePlace(node, key, isForeign: true))
        }
    }

    private mutating func checkPresence(of key: Key, _ node: DocumentNode) {
        switch key.presence {
        case .optional, .unwritten: break
        case .required:
            report(
                .error,
                key.rule ?? "missing-key",
                at: node,
                message: "\(node.noun.capitalizedFirst) needs \(key.name.quoted); without it, "
                    + "\(vocabulary.readers) \(vocabulary.refusal).",
                fix: "Add \(key.name.quoted) with \(key.type.noun)."
            )
        case .recommended(let value):
            guard node.isRead else { return }
            report(
                .warning,
                key.rule ?? "missing-recommended-key",
                at: node,
                message:
                    "\(node.noun.capitalizedFirst) without \(key.name.quoted) makes some clients \(vocabulary.refusal).",
                fix: "Add \(key.name.quoted):\(value), which is what the other clients assume."
            )
        }
    }

    private mutating func check(_ group: KeyGroup, _ node: DocumentNode) {
        let given = group.keys.filter(node.has)
        if given.isEmpty, group.rule != .atMostOne {
            report(
                .error,
                group.name ?? "missing-key",
                at: node,
                message: "\(node.noun.capitalizedFirst) needs \(group.keys.map(\.quoted).alternatives).",
                fix: "Add \(group.keys.map(\.quoted).alternatives)."
            )
        } else if given.count > 1, group.rule != .atLeastOne {
            report(
                .error,
                group.name ?? "contradicting-keys",
                at: node,
                message: "The keys \(given.map(\.quoted).joined(separator: " and ")) contradict each other.",
                fix: "Keep one of them."
            )
        }
    }

    /// Reports a key that clients don't read in this object.
    private mutating func reportUnread(
        _ name: String,
        _ declared: Key?,
        isShared: Bool,
        _ node: DocumentNode,
        _ kind: Kind
    ) {
        let pointer = JSONPointer.step(name)
        if let declared { return reportUnsupported(declared, node, pointer) }
        let isForeign = isShared && kind.misnomers[name] == nil
        let isRefused = !isForeign && refusesUnknownKeys(node.role)
        report(
            isRefused ? .error : .warning,
            isForeign ? "foreign-key" : "unknown-key",
            at: node,
            pointer,
            message: "\(node.noun.capitalizedFirst) has no key \(name.quoted), "
                + "\(isForeign ? "which belongs to others, " : "")so \(vocabulary.readers) "
                + "\(isRefused ? vocabulary.refusal : "ignore it").",
            fix: unknownKeyFix(name, kind, node)
        )
    }

    private mutating func reportUnsupported(_ key: Key, _ node: DocumentNode, _ pointer: String) {
        let (clients, others, advice) = outsiders(of: key.support)
        report(
            .warning,
            "key-of-other-\(others)",
            at: node,
            pointer,
            message: "The key \(key.name.quoted) of \(node.noun) is unknown to \(clients), so they ignore it.",
            fix: "Remove it, or \(advice)."
        )
    }

    private mutating func unknownKeyFix(_ name: String, _ kind: Kind, _ node: DocumentNode) -> String {
        if let fix = kind.misnomers[name] { return fix }
        let known = kind.keys.filter { $0.support.covers(audience) }.map(\.name)
        let cacheKey = "\(kind.name) \(name)"
        let nearest = suggestedKeys[cacheKey] ?? Suggestion.nearest(to: name, among: known)
        suggestedKeys[cacheKey] = .some(nearest)
        if let nearest, !node.has(nearest) { return "Write \(nearest.quoted), if that is what you mean, or remove it." }
        let names = (node.role.ownKey.map { [$0] } ?? []) + known
        return names.isEmpty
            ? "Remove it; \(vocabulary.readers) read no key here."
            : "Remove it; \(vocabulary.readers) read only \(names.joined(separator: ", ")) here."
    }

    // MARK: Reports

    mutating func report(
        _ severity: Finding.Severity,
        _ rule: String,
        at node: DocumentNode?,
        _ pointer: String = "",
        message: String,
        fix: String
    ) {
        let path = FindingPath(page: "", pointer: pointer)
        let isRejection = severity == .error && vocabulary.refusesWhole
        remarks.add(
            Finding(severity, rule: rule, path: path, message: message, fix: fix, isRejection: isRejection),
            at: node
        )
    }
}
