import Backlot
package import BacklotJSON

/// Compares what a mock answers with what the backend does: which parts and keys there are, and of which types. Texts and numbers
/// don't count, unless that is asked for.
package struct DocumentDrift {
    /// A text of the mock's answer, and what the backend's has in its place.
    package struct Pair: Hashable, Sendable {
        package let mock: String
        package let backend: String
        /// Whether clients follow it.
        package let isTarget: Bool
    }

    /// The differences, in the order of the document.
    package private(set) var changes: [DriftChange] = []
    /// The texts that differ.
    package private(set) var pairs: [Pair] = []
    let mock: AnswerDocument
    let backend: AnswerDocument
    private let otherPass: AnswerDocument?
    private let route: (String) -> String
    private let comparesValues: Bool

    /// The most differences that one answer can have.
    private static let most = 200

    /// Compares two answers.
    ///
    /// - Parameters:
    ///   - otherPass: what the backend has answered another time; nil where it wasn't asked again.
    ///   - words: the words of the protocol; nil for plain JSON.
    ///   - comparesValues: whether texts, numbers and booleans count that are the same in both passes.
    ///   - route: the route that a path leads to, in which values such as ids don't count.
    package init(
        mock: JSONValue,
        backend: JSONValue,
        otherPass: JSONValue? = nil,
        words: AnswerWords?,
        comparesValues: Bool = false,
        route: @escaping (String) -> String
    ) {
        self.mock = AnswerDocument(mock, words)
        self.backend = AnswerDocument(backend, words)
        self.otherPass = otherPass.map { AnswerDocument($0, words) }
        self.comparesValues = comparesValues
        self.route = route
        compare(mock, "", backend, "")
    }

    private mutating func add(_ change: DriftChange) {
        if changes.count < Self.most { changes.append(change) }
    }

    // MARK: Values

    private mutating func compare(_ one: JSONValue, _ place: String, _ two: JSONValue, _ pointer: String) {
        let parts = (mock.parts[place], backend.parts[pointer])
        if let left = parts.0, let right = parts.1 {
            guard left.name == right.name else { return changed(left, place, right, pointer) }
            if left.isText, right.isText {
                return compare(left.object, place, right.object, pointer, isText: true)
            }
        }
        switch (one, two) {
        case (.object(let left), .object(let right)): compare(left, place, right, pointer)
        case (.array(let left), .array(let right)): compare(left, place, right, pointer)
        case (.null, _): break
        default:
            let kinds = (Self.type(one), Self.type(two))
            guard kinds.0 == kinds.1 else { return typeChanged(kinds.0, place, kinds.1, pointer) }
            compareScalars(one, place, two, pointer)
        }
    }

    private mutating func compareScalars(_ one: JSONValue, _ place: String, _ two: JSONValue, _ pointer: String) {
        guard one != two else { return }
        if let left = one.string, let right = two.string, pairs.count < 10_000 {
            pairs.append(Pair(mock: left, backend: right, isTarget: false))
        }
        guard comparesValues, otherPass == nil || otherPass?.value.value(at: pointer) == two else { return }
        let (was, now) = (one.excerpt, two.excerpt)
        add(
            DriftChange(
                .warning,
                "value-changed",
                steps: backend.steps(to: pointer),
                at: pointer,
                was: was,
                now: now,
                place: place,
                "The value was \(was), and is \(now)."
            )
        )
    }

    private mutating func compare(
        _ one: JSONObject,
        _ place: String,
        _ two: JSONObject,
        _ pointer: String,
        isText: Bool = false
    ) {
        // Clients that know a part take null for nothing.
        let isPart = mock.parts[place] != nil
        for member in one.members {
            let (own, there) =
                isText ? ("", "") : (place + JSONPointer.step(member.key), pointer + JSONPointer.step(member.key))
            if isPart, member.value.isNull { continue }
            guard let value = two[member.key], !(isPart && value.isNull) else {
                keyRemoved(member, own.isEmpty ? place : own)
                continue
            }
            if compareWords(member, value, place, pointer, own.isEmpty ? place : own, there.isEmpty ? pointer : there) {
                continue
            }
            if isText {
                compareScalars(member.value, place, value, pointer)
            } else {
                compare(member.value, own, value, there)
            }
        }
        for member in two.members where !(isPart && member.value.isNull) {
            guard one[member.key].map({ isPart && $0.isNull }) ?? true else { continue }
            keyAdded(member.key, member.value, place, isText ? pointer : pointer + JSONPointer.step(member.key))
        }
    }

    /// Compares what the words of the protocol say more of than that it is a text.
    ///
    /// - Returns: whether it is compared by that.
    private mutating func compareWords(
        _ member: JSONObject.Member,
        _ value: JSONValue,
        _ part: String,
        _ partThere: String,
        _ place: String,
        _ pointer: String
    ) -> Bool {
        guard let words = mock.words, let left = mock.parts[part], let right = backend.parts[partThere] else {
            return false
        }
        if words.requirements.contains(member.key), !requires(member.value), requires(value) {
            variableRequired(right, member.key, pointer, was: member.value.excerpt, now: value.excerpt)
            return true
        }
        guard let one = member.value.string, let two = value.string, one != two else { return false }
        if words.variables.contains(member.key) {
            add(
                DriftChange(
                    .error,
                    "variable-changed",
                    steps: right.steps,
                    at: pointer,
                    was: one.quoted,
                    now: two.quoted,
                    place: place,
                    "\(right.title.capitalizedFirst) sends the variable \(two.quoted) and not \(one.quoted) any more."
                )
            )
            return true
        }
        guard words.targets.contains(member.key) else { return false }
        pairs.append(Pair(mock: one, backend: two, isTarget: true))
        let again = otherPass.flatMap { $0.parts[partThere]?.object[member.key]?.string }
        guard route(one) != route(two), again.map({ route($0) == route(two) }) ?? true else { return true }
        add(
            DriftChange(
                .error,
                "target-changed",
                steps: right.steps,
                at: pointer,
                was: one.quoted,
                now: two.quoted,
                place: place,
                "\(left.name.isEmpty ? left.noun.capitalizedFirst : left.name.capitalizedFirst) led to \(one.quoted), and leads to \(two.quoted)."
            )
        )
        return true
    }

    private func requires(_ value: JSONValue) -> Bool {
        value.bool ?? value.number.map { $0.double > 0 } ?? false
    }

    // MARK: Lists

    private mutating func compare(_ one: [JSONValue], _ place: String, _ two: [JSONValue], _ pointer: String) {
        let left = one.indices.map { mock.parts["\(place)/\($0)"] }
        let right = two.indices.map { backend.parts["\(pointer)/\($0)"] }
        let parts = (left + right).compactMap(\.self)
        let isStructure = !parts.isEmpty && !parts.contains(where: \.isRow) && isStable(right, pointer)
        guard isStructure, one.count * two.count <= PartAlignment.most else {
            return compareRows(
                one.indices.map { Place(one[$0], "\(place)/\($0)") },
                two.indices.map { Place(two[$0], "\(pointer)/\($0)") },
                place
            )
        }
        let alignment = PartAlignment(
            one.indices.map { PartAlignment.Element(one[$0], left[$0], row(at: "\(place)/\($0)", mock)) },
            two.indices.map { PartAlignment.Element(two[$0], right[$0], row(at: "\(pointer)/\($0)", backend)) },
            route: route
        )
        for step in alignment.steps {
            switch step {
            case .both(let first, let second):
                compare(one[first], "\(place)/\(first)", two[second], "\(pointer)/\(second)")
            case .removed(let index): removed(left[index], one[index], "\(place)/\(index)")
            case .added(let index): added(right[index], two[index], place, "\(pointer)/\(index)")
            }
        }
    }

    /// Whether the backend has answered with parts of the same kinds in both passes.
    private func isStable(_ parts: [AnswerPart?], _ pointer: String) -> Bool {
        guard let otherPass, let other = otherPass.value.value(at: pointer)?.array else { return true }
        let names = other.indices.map { otherPass.parts["\(pointer)/\($0)"]?.name }
        return names == parts.map { $0?.name }
    }

    /// The route that the first action of a part leads to, if it has a value in it: then the part is one of a list.
    private func row(at pointer: String, _ document: AnswerDocument) -> String? {
        guard let value = document.value.value(at: pointer) else { return nil }
        return document.firstTarget(in: value, at: pointer).map(route).flatMap { $0.contains("*") ? $0 : nil }
    }

    /// A value and its place.
    private struct Place {
        let value: JSONValue
        let pointer: String

        init(_ value: JSONValue, _ pointer: String) { (self.value, self.pointer) = (value, pointer) }
    }

    /// Compares rows of data, of which there may be any number: by what they have in common.
    private mutating func compareRows(_ one: [Place], _ two: [Place], _ list: String) {
        guard !one.isEmpty, !two.isEmpty else { return }
        let known = Set(one.map { Self.type($0.value) })
        if !known.contains("null"), let other = two.first(where: { !known.contains(Self.type($0.value)) }) {
            return typeChanged(known.sorted().joined(separator: " or "), list, Self.type(other.value), other.pointer)
        }
        compareRowLists(one, two, list)
        let left = Dictionary(grouping: one.filter { $0.value.object != nil }) { mock.parts[$0.pointer]?.name ?? "" }
        let right = Dictionary(grouping: two.filter { $0.value.object != nil }) {
            backend.parts[$0.pointer]?.name ?? ""
        }
        guard !left.isEmpty else { return }
        for (name, places) in right.sorted(by: { $0.key < $1.key }) {
            guard let others = left[name] else {
                added(backend.parts[places[0].pointer], places[0].value, list, places[0].pointer)
                continue
            }
            compareMembers(others, places, "\(list)/*\(name)")
        }
    }

    private mutating func compareRowLists(_ one: [Place], _ two: [Place], _ list: String) {
        func elements(_ places: [Place]) -> [Place] {
            places.flatMap { place in
                (place.value.array ?? []).enumerated().map { Place($0.element, "\(place.pointer)/\($0.offset)") }
            }
        }
        let (left, right) = (elements(one), elements(two))
        if !left.isEmpty, !right.isEmpty { compareRows(left, right, "\(list)/*") }
    }

    private mutating func compareMembers(_ one: [Place], _ two: [Place], _ list: String) {
        func keys(_ places: [Place]) -> [String] {
            var seen: Set<String> = []
            return places.flatMap { $0.value.object?.keys ?? [] }.filter { seen.insert($0).inserted }
        }
        func places(_ key: String, _ rows: [Place]) -> [Place] {
            rows.compactMap { row in
                row.value[key].map { Place($0, row.pointer + JSONPointer.step(key)) }
            }
        }
        for key in keys(one) {
            let (left, right) = (places(key, one), places(key, two))
            if right.isEmpty {
                // What only some rows have may be missing in all of another day.
                guard left.count == one.count, let member = one[0].value.object?.members.first(where: { $0.key == key })
                else { continue }
                keyRemoved(member, left[0].pointer, inList: list)
            } else {
                compareRows(left, right, list + JSONPointer.step(key))
            }
        }
        for key in keys(two) where places(key, one).isEmpty {
            guard let place = places(key, two).first else { continue }
            keyAdded(key, place.value, list, place.pointer)
        }
    }

    // MARK: Differences

    private mutating func changed(_ left: AnswerPart, _ place: String, _ right: AnswerPart, _ pointer: String) {
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

    private mutating func removed(_ part: AnswerPart?, _ value: JSONValue, _ place: String) {
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
                isVariable
                    ? "The backend has no \(part?.title ?? noun) any more, so that clients don't send its variable."
                    : "The backend has no \(part?.title ?? noun) there any more."
            )
        )
    }

    private mutating func added(_ part: AnswerPart?, _ value: JSONValue, _ list: String, _ pointer: String) {
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
                variable.map {
                    "The backend has \(part?.article ?? noun) here, so that clients send the variable \($0.quoted)."
                }
                    ?? "The backend has \(part?.article ?? noun) here, and the mock hasn't."
            )
        )
        if let part, variable != nil,
            let key = backend.words?.requirements.first(where: { requires(part.object[$0] ?? .null) })
        {
            let value = part.object[key]?.excerpt ?? ""
            variableRequired(part, key, pointer + JSONPointer.step(key), was: nil, now: value)
        }
    }

    private mutating func keyRemoved(_ member: JSONObject.Member, _ place: String, inList list: String? = nil) {
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
                "The backend has no key \(member.key.quoted) any more; the mock has \(member.value.excerpt)."
            )
        )
    }

    private mutating func keyAdded(_ key: String, _ value: JSONValue, _ place: String, _ pointer: String) {
        if let part = backend.parts[String(pointer.dropLast(JSONPointer.step(key).count))],
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
                "The backend has the key \(key.quoted) here, and the mock hasn't."
            )
        )
    }

    private mutating func variableRequired(
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
                "The variable \((part.variable ?? "").quoted) is required now: \(key.quoted) is \(now)."
            )
        )
    }

    private mutating func typeChanged(_ was: String, _ place: String, _ now: String, _ pointer: String) {
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

extension AnswerDocument {
    /// Where the first part in a value leads that leads anywhere.
    fileprivate func firstTarget(in value: JSONValue, at pointer: String) -> String? {
        if let target = parts[pointer]?.target { return target }
        switch value {
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                if let found = firstTarget(in: element, at: "\(pointer)/\(index)") { return found }
            }
        case .object(let object):
            for member in object.members {
                let pointer = pointer + JSONPointer.step(member.key)
                if let found = firstTarget(in: member.value, at: pointer) { return found }
            }
        default: break
        }
        return nil
    }
}

extension AnswerPart {
    /// Its title with an article: `a textfield "username"`.
    var article: String { title.withArticle }
}

extension String {
    /// The word as a part of a rule's name.
    fileprivate var asRule: String { replacing(" ", with: "-") }

    var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

extension JSONValue {
    /// The part that a JSON pointer leads to; nil where there is none.
    package func value(at pointer: String) -> JSONValue? {
        var value = self
        for step in JSONPointer.steps(of: pointer) {
            let next = value.object == nil ? Int(step).flatMap { value[$0] } : value[step]
            guard let next else { return nil }
            value = next
        }
        return value
    }
}
