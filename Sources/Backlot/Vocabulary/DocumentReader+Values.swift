/// The values of an object's keys.
extension DocumentReader {
    /// Checks the value of a key. `null` counts as absent.
    mutating func check(_ value: JSONValue, _ place: ValuePlace) {
        if !value.isNull { check(value, place.key.type, place) }
    }

    private mutating func check(_ value: JSONValue, _ type: ValueType, _ place: ValuePlace) {
        guard type.fits(value) else {
            return report(place, "wrong-type", "\(place.noun) is \(value.summary)", type.noun)
        }
        switch type {
        case .any, .bool, .string: break
        case .text(let form):
            guard let text = value.string, !form.isValid(text) else { return }
            report(place, form.rule, "\(place.noun) is \(text.quoted)", form.noun)
        case .oneOf(let names, let consequence):
            guard let text = value.string, !names.contains(where: { $0.text == text }) else { return }
            let nearest = Suggestion.nearest(to: text, among: names.map(\.text))
            let fix = nearest.map { "Write \($0.quoted), if that is what you mean." } ?? "Write \(type.noun)."
            report(consequence, place, "unknown-value", "\(place.noun) is \(text.quoted), which is unknown", fix: fix)
        case .numeric(let bounds):
            guard let number = value.number, !bounds.allow(number) else { return }
            report(place, "number-out-of-range", "\(place.noun) is \(value.description.excerpt)", bounds.noun)
        case .list(let element, let count): check(value.array ?? [], element, count, type, place)
        case .nullable(let type): if !value.isNull { check(value, type, place) }
        case .map(let type):
            for member in value.object?.members ?? [] {
                check(member.value, type, place[member: member.key])
            }
        case .node(let role, let only): add(value, as: role, only: only, at: place)
        case .either(let types):
            guard let type = types.first(where: { $0.fits(value) }) else { return }
            check(value, type, place)
        }
    }

    private mutating func check(
        _ elements: [JSONValue],
        _ type: ValueType,
        _ count: Count,
        _ list: ValueType,
        _ place: ValuePlace
    ) {
        if !count.allows(elements.count), place.node.isRead, !place.isForeign {
            report(place, "wrong-count", "\(place.noun) has \(elements.count) elements", list.noun)
        }
        for (index, element) in elements.enumerated() {
            if element.isNull, !type.fits(.null) {
                let problem = "\(place.noun) holds null at index \(index), but must not"
                report(place.key.consequence, place[index], "null-in-array", problem, fix: "Remove the null.")
            } else {
                check(element, type, place[index])
            }
        }
    }

    /// Reports a value of an unexpected type.
    private mutating func report(_ place: ValuePlace, _ rule: String, _ problem: String, _ expected: String) {
        let problem = "\(problem), but must be \(expected)"
        report(place.key.consequence, place, rule, problem, fix: "Make \(place.noun) \(expected).")
    }

    private mutating func report(
        _ consequence: Consequence,
        _ place: ValuePlace,
        _ rule: String,
        _ problem: String,
        fix: String
    ) {
        let (severity, outcome): (Finding.Severity, String) =
            switch consequence {
            case .refusal: (.error, vocabulary.refusal)
            case .warning(let text): (.warning, text)
            }
        // Ignored values aren't worth a warning, unless clients refuse the document for them.
        if severity == .warning, place.isForeign || !place.node.isRead { return }
        report(
            severity,
            place.key.rule ?? rule,
            at: place.node,
            place.pointer,
            message: "\(problem): \(vocabulary.readers) \(outcome).",
            fix: fix
        )
    }
}

extension ValueType {
    /// Whether a value has the JSON type for this type, with any contents.
    package func fits(_ value: JSONValue) -> Bool {
        switch self {
        case .any: true
        case .bool: value.bool != nil
        case .string, .text, .oneOf: value.string != nil
        case .numeric: value.number != nil
        case .list: value.array != nil
        case .nullable(let type): value.isNull || type.fits(value)
        case .map: value.object != nil
        case .node(let role, _): value.object != nil || role.readText != nil && value.string != nil
        case .either(let types): types.contains { $0.fits(value) }
        }
    }
}
