import Backlot
import BacklotJSON

/// The differences that are found.
extension DocumentDrift {
    mutating func changed(_ left: AnswerPart, _ place: String, _ right: AnswerPart, _ pointer: String) {
        let noun = left.noun == right.noun ? left.noun : "part"
        add(
            DriftChange(
                .error,
                "\(noun.asRule)-changed",
                steps: right.steps,
                at: pointer,
                was: left.title,
                now: right.title,
                place: place,
                "The \(noun) was \(left.article), and is \(right.article)."
            )
        )
    }

    mutating func removed(_ part: AnswerPart?, _ value: JSONValue, _ place: String) {
        let noun = part?.noun ?? "element"
        let isVariable = part?.variable != nil
        add(
            DriftChange(
                .error,
                isVariable ? "variable-removed" : "\(noun.asRule)-removed",
                steps: part?.steps ?? mock.steps(to: place),
                at: place,
                was: part?.title ?? value.excerpt,
                now: nil,
                variable: part?.variable,
                isVariable
                    ? "\(sides.nowFirst) has no \(part?.title ?? noun) any more, so that clients don't send its variable."
                    : "\(sides.nowFirst) has no \(part?.title ?? noun) there any more."
            )
        )
    }

    mutating func added(_ part: AnswerPart?, _ value: JSONValue, _ list: String, _ pointer: String) {
        let noun = part?.noun ?? "element"
        let variable = part?.variable
        add(
            DriftChange(
                variable == nil ? .warning : .error,
                variable == nil ? "\(noun.asRule)-added" : "variable-added",
                steps: part?.steps ?? backend.steps(to: pointer),
                at: pointer,
                was: nil,
                now: part?.title ?? value.excerpt,
                place: list,
                name: part?.name ?? "",
                variable: variable,
                variable.map {
                    "\(sides.nowFirst) has \(part?.article ?? noun) here, so that clients send the variable \($0.quoted)."
                }
                    ?? "\(sides.nowFirst) has \(part?.article ?? noun) here, and \(sides.was) hasn't."
            )
        )
        if let part, variable != nil,
            let key = backend.words?.requirements.first(where: { requires(part.object[$0] ?? .null) })
        {
            let value = part.object[key]?.excerpt ?? ""
            variableRequired(part, key, pointer + JSONPointer.step(key), was: nil, now: value)
        }
    }

    /// The part that has a key at a place; the place of a key in a part that is written as a text is the part's.
    private func part(around pointer: String, _ key: String, _ document: AnswerDocument) -> AnswerPart? {
        document.parts[String(pointer.dropLast(JSONPointer.step(key).count))] ?? document.parts[pointer]
    }

    mutating func keyRemoved(_ member: JSONObject.Member, _ place: String, inList list: String? = nil) {
        add(
            DriftChange(
                .error,
                "key-removed",
                steps: mock.steps(to: place),
                at: place,
                was: member.value.excerpt,
                now: nil,
                place: list,
                name: member.key,
                isWithoutEffect: part(around: place, member.key, mock)?.assumes(member.value, member.key) ?? false,
                "\(sides.nowFirst) has no key \(member.key.quoted) any more; \(sides.was) has \(member.value.excerpt)."
            )
        )
    }

    mutating func keyAdded(_ key: String, _ value: JSONValue, _ place: String, _ pointer: String) {
        if let part = part(around: pointer, key, backend),
            backend.words?.requirements.contains(key) == true, requires(value)
        {
            return variableRequired(part, key, pointer, was: nil, now: value.excerpt)
        }
        add(
            DriftChange(
                .warning,
                "key-added",
                steps: backend.steps(to: pointer),
                at: pointer,
                was: nil,
                now: value.excerpt,
                place: place,
                name: key,
                isWithoutEffect: part(around: pointer, key, backend)?.assumes(value, key) ?? false,
                "\(sides.nowFirst) has the key \(key.quoted) here, and \(sides.was) hasn't."
            )
        )
    }

    mutating func variableRequired(
        _ part: AnswerPart,
        _ key: String,
        _ pointer: String,
        was: String?,
        now: String
    ) {
        add(
            DriftChange(
                .error,
                "variable-required",
                steps: part.steps,
                at: pointer,
                was: was,
                now: now,
                place: "",
                name: part.variable ?? "",
                variable: part.variable,
                "The variable \((part.variable ?? "").quoted) is required now: \(key.quoted) is \(now)."
            )
        )
    }

    mutating func typeChanged(_ was: String, _ place: String, _ now: String, _ pointer: String) {
        add(
            DriftChange(
                .error,
                "type-changed",
                steps: backend.steps(to: pointer),
                at: pointer,
                was: was,
                now: now,
                place: place,
                "The value was \(was), and is \(now)."
            )
        )
    }

    /// The type of a value, in words.
    static func type(_ value: JSONValue) -> String {
        switch value {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a text"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

extension AnswerPart {
    /// Its title with an article: `a textfield "username"`.
    var article: String { title.withArticle }
}

extension String {
    /// The word as a part of a rule's name.
    fileprivate var asRule: String { replacing(" ", with: "-") }
}
