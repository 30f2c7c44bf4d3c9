import Backlot
import BacklotJSON

/// Which keys a node has, and which it should have.
extension PageTreeWalk {
    mutating func checkPresence(of keys: [SchemaKey], in node: PageNode, _ index: Int) {
        for key in keys where node.object[key.name]?.isNull ?? true {
            switch key.presence {
            case .optional: break
            case .required:
                report(
                    .error,
                    SchemaRule.missingKey,
                    at: index,
                    "\(node.noun.capitalizedStart) needs \"\(key.name)\", and clients reject the whole page without it.",
                    fix: "Add \"\(key.name)\" with \(key.type.noun)."
                )
            case .recommended(let json):
                report(
                    .warning,
                    SchemaRule.missingRecommendedKey,
                    at: index,
                    "\(node.noun.capitalizedStart) without \"\(key.name)\" makes some clients reject the whole page.",
                    fix: "Add \"\(key.name)\":\(json), which is what the other clients assume."
                )
            }
        }
    }

    mutating func checkDialect(of key: SchemaKey, in node: PageNode, _ index: Int) {
        guard !key.dialects.contains(dialect) else { return }
        report(
            .warning,
            SchemaRule.keyOfOtherDialect,
            at: index,
            "/\(key.name)",
            "The key \"\(key.name)\" of \(node.noun) is unknown to \(dialect.clients), so they ignore it.",
            fix: "Remove it, or serve the app in the \(dialect.other.rawValue) dialect."
        )
    }

    mutating func reportUnknownKey(_ key: String, of node: PageNode, _ schema: Schema, _ index: Int) {
        let typ = node.kind == .modalButton ? [] : ["typ"]
        let fix =
            if let fix = schema.misnomers[key] {
                fix
            } else if let nearest = suggestion(for: key, schema) {
                "Write \"\(nearest)\", if that is what you mean, or remove it."
            } else {
                "Remove it; clients read only \((typ + schema.keys.map(\.name)).joined(separator: ", ")) here."
            }
        report(
            .warning,
            SchemaRule.unknownKey,
            at: index,
            key.pointerStep,
            "\(node.noun.capitalizedStart) has no key \(key.quoted), so clients ignore it.",
            fix: fix
        )
    }

    private mutating func suggestion(for key: String, _ schema: Schema) -> String? {
        let cacheKey = "\(schema.typ) \(key)"
        if let known = suggestedKeys[cacheKey] { return known }
        let nearest = Suggestion.nearest(to: key, among: schema.keys.map(\.name))
        suggestedKeys[cacheKey] = .some(nearest)
        return nearest
    }
}

extension String {
    /// The text with a capital letter at its start, for the start of a sentence.
    fileprivate var capitalizedStart: String {
        prefix(1).uppercased() + dropFirst()
    }
}
