internal import Backlot
import BacklotClients
internal import BacklotMocks

/// Compares two documents by the tree of their protocol, or as plain JSON: their parts and keys, and the types of values. The
/// terms decide whether texts and numbers count.
struct DocumentComparison {
    /// A text of the first document, and the text in its place in the second.
    struct Pair: Hashable {
        let was: String
        let now: String
        /// Whether clients follow it as a link.
        let isTarget: Bool
    }

    /// A pointer into the first document, and the corresponding one into the second.
    struct Places {
        let was: String
        let now: String

        func key(_ key: String) -> Places {
            let step = JSONPointer.step(key)
            return Places(was: was + step, now: now + step)
        }

        func elements(_ first: Int, _ second: Int) -> Places { Places(was: "\(was)/\(first)", now: "\(now)/\(second)") }
    }

    private static let mostPairs = 10_000

    /// The differences, in the order of the document.
    private(set) var differences: [Difference] = []
    /// The texts that differ.
    private(set) var pairs: [Pair] = []
    /// The number of further differences.
    private(set) var dropped = 0
    let was: ComparedDocument
    let now: ComparedDocument
    let again: ComparedDocument?
    let terms: ComparisonTerms
    private let ignoring: (Difference) -> Bool

    /// Compares two documents.
    ///
    /// - Parameters:
    ///   - again: the second side's response to a repeated request; values that differ between its two responses don't count. nil
    ///     without a repeated request.
    ///   - ignoring: whether to ignore a difference, so that it doesn't count towards the maximum.
    init(
        _ was: ComparedDocument,
        _ now: ComparedDocument,
        again: ComparedDocument? = nil,
        _ terms: ComparisonTerms,
        ignoring: @escaping (Difference) -> Bool = { _ in false }
    ) {
        (self.was, self.now, self.again, self.terms, self.ignoring) = (was, now, again, terms, ignoring)
        compare(was.value, now.value, Places(was: "", now: ""))
    }

    private mutating func add(
        _ rule: String,
        _ at: Places,
        was old: String?,
        now new: String?,
        name: String = "",
        variable: String? = nil,
        isAssumed: Bool = false,
        _ message: String
    ) {
        let document = new == nil ? was : now
        let isSeen = !isAssumed && document.isRead(at.now)
        let kind = terms.kind(rule, was: old, isPlainJSON: was.language == nil)
        var difference = Difference(
            rule,
            isSeen || terms.depth != .all ? kind : .neutral,
            at: document.path(to: at.now),
            place: at.was,
            was: old,
            now: new,
            name: name,
            variable: variable,
            message
        )
        difference.isOfDocument = true
        guard !ignoring(difference) else { return }
        if differences.count < terms.most { differences.append(difference) } else { dropped += 1 }
    }

    // MARK: Values

    mutating func compare(_ one: JSONValue, _ two: JSONValue, _ at: Places) {
        if let left = was.parts[at.was], let right = now.parts[at.now] {
            guard left.name == right.name else { return changed(left, right, at) }
            if left.node.text != nil, right.node.text != nil {
                return compare(left.node.object, right.node.object, at, isText: true)
            }
        }
        switch (one, two) {
        case (.object(let left), .object(let right)): compare(left, right, at, isText: false)
        case (.array(let left), .array(let right)): compare(left, right, at)
        // A mock's null says nothing about the type.
        case (.null, _) where terms.depth == .structure: break
        case (.null, _) where now.parts[at.now] != nil: added(two, at)
        case _ where one.typeName != two.typeName: typeChanged(one.typeName, two.typeName, at)
        default: compareScalars(one, two, at)
        }
    }

    private mutating func compareScalars(_ one: JSONValue, _ two: JSONValue, _ at: Places) {
        guard one != two else { return }
        let texts = one.string.flatMap { left in two.string.map { (left, $0) } }
        if let (left, right) = texts, pairs.count < Self.mostPairs {
            pairs.append(Pair(was: left, now: right, isTarget: false))
        }
        guard terms.depth != .structure, again == nil || again?.value.value(at: at.now) == two,
            !(texts.map(terms.isSameText) ?? false)
        else { return }
        let (old, new) = (one.excerpt, two.excerpt)
        add("value-changed", at, was: old, now: new, "The value was \(old), and is \(new).")
    }

    /// - Parameter isText: whether both are written as strings, so that their keys have the pointer of the whole.
    private mutating func compare(_ one: JSONObject, _ two: JSONObject, _ at: Places, isText: Bool) {
        // Clients that know a part treat null as missing.
        let isPart = was.parts[at.was] != nil
        let (ones, twos) = (IndexedObject(one), IndexedObject(two))
        for member in one.members where !(isPart && member.value.isNull) {
            let inner = isText ? at : at.key(member.key)
            guard let value = twos[member.key], !(isPart && value.isNull) else {
                keyRemoved(member.key, member.value, inner.was)
                continue
            }
            if compareMeaning(member, value, at, inner) { continue }
            if isText {
                compareScalars(member.value, value, at)
            } else {
                compare(member.value, value, inner)
            }
        }
        for member in two.members where !(isPart && member.value.isNull) {
            guard ones[member.key].map({ isPart && $0.isNull }) ?? true else { continue }
            let inner = isText ? at : at.key(member.key)
            keyAdded(member.key, member.value, Places(was: at.was, now: inner.now))
        }
    }

    /// Compares values that the protocol gives a meaning.
    ///
    /// - Returns: whether the protocol gives these values a meaning.
    private mutating func compareMeaning(
        _ member: JSONObject.Member,
        _ value: JSONValue,
        _ part: Places,
        _ at: Places
    ) -> Bool {
        guard let language = was.language, let left = was.parts[part.was], let right = now.parts[part.now] else {
            return false
        }
        if language.comparison.requirements.contains(member.key), !member.value.isRequirement, value.isRequirement {
            variableRequired(right, member.key, at.now, was: member.value.excerpt, value)
            return true
        }
        guard let one = member.value.string, let two = value.string, one != two else { return false }
        let (old, new) = (one.quoted, two.quoted)
        if language.comparison.variables.contains(member.key) {
            let message = "\(right.title.capitalizedFirst) sends the variable \(new) and not \(old) any more."
            add("variable-changed", at, was: old, now: new, variable: one, message)
            return true
        }
        guard language.comparison.targets.contains(member.key) else { return false }
        pairs.append(Pair(was: one, now: two, isTarget: true))
        let other = again.flatMap { $0.parts[part.now]?.node.object[member.key]?.string }
        let route = terms.route
        guard route(one) != route(two), other.map({ route($0) == route(two) }) ?? true else { return true }
        let name = (left.name.isEmpty ? left.noun : left.name).capitalizedFirst
        add("target-changed", at, was: old, now: new, "\(name) led to \(old), and leads to \(new).")
        return true
    }
}

// MARK: - Differences

extension DocumentComparison {
    private mutating func changed(_ left: ComparedPart, _ right: ComparedPart, _ at: Places) {
        let noun = left.noun == right.noun ? left.noun : "part"
        let message = "The \(noun) was \(left.article), and is \(right.article)."
        add("\(noun.asRule)-changed", at, was: left.title, now: right.title, message)
    }

    mutating func removed(_ value: JSONValue, _ place: String) {
        let part = was.parts[place]
        let noun = part?.noun ?? "element"
        let isVariable = part?.variable != nil
        let message =
            isVariable
            ? "\(terms.nowFirst) has no \(part?.title ?? noun) any more, so that clients don't send its variable."
            : "\(terms.nowFirst) has no \(part?.title ?? noun) there any more."
        add(
            isVariable ? "variable-removed" : "\(noun.asRule)-removed",
            Places(was: place, now: place),
            was: part?.title ?? value.excerpt,
            now: nil,
            variable: part?.variable,
            message
        )
    }

    /// - Parameter at: the pointers of the list and of the element.
    mutating func added(_ value: JSONValue, _ at: Places) {
        let part = now.parts[at.now]
        let noun = part?.noun ?? "element"
        let variable = part?.variable
        let message = "\(terms.nowFirst) has \(part?.article ?? noun) here, "
        add(
            variable == nil ? "\(noun.asRule)-added" : "variable-added",
            at,
            was: nil,
            now: part?.title ?? value.excerpt,
            name: part?.name ?? "",
            variable: variable,
            message + (variable.map { "so that clients send the variable \($0.quoted)." } ?? "and \(terms.was) hasn't.")
        )
        guard let part, variable != nil else { return }
        let object = part.node.object
        if let key = now.language?.comparison.requirements.first(where: { object[$0]?.isRequirement == true }) {
            variableRequired(part, key, at.now + JSONPointer.step(key), was: nil, object[key] ?? .null)
        }
    }

    /// - Parameter list: the pointer of the list, if its rows lack the key; nil for a single object.
    mutating func keyRemoved(_ key: String, _ value: JSONValue, _ place: String, inList list: String? = nil) {
        add(
            "key-removed",
            Places(was: list ?? place, now: place),
            was: value.excerpt,
            now: nil,
            name: key,
            isAssumed: was.assumes(value, key, at: place),
            "\(terms.nowFirst) has no key \(key.quoted) any more; \(terms.was) has \(value.excerpt)."
        )
    }

    /// - Parameter at: the pointers of the object without the key, and of the key in the other.
    mutating func keyAdded(_ key: String, _ value: JSONValue, _ at: Places) {
        if let part = now.owner(of: key, at: at.now), now.language?.comparison.requirements.contains(key) == true,
            value.isRequirement
        {
            return variableRequired(part, key, at.now, was: nil, value)
        }
        let message = "\(terms.nowFirst) has the key \(key.quoted) here, and \(terms.was) hasn't."
        let isAssumed = now.assumes(value, key, at: at.now)
        add("key-added", at, was: nil, now: value.excerpt, name: key, isAssumed: isAssumed, message)
    }

    private mutating func variableRequired(
        _ part: ComparedPart,
        _ key: String,
        _ pointer: String,
        was old: String?,
        _ value: JSONValue
    ) {
        let variable = part.variable ?? ""
        let message = "The variable \(variable.quoted) is required now: \(key.quoted) is \(value.excerpt)."
        // The position of the input doesn't matter.
        let at = Places(was: "", now: pointer)
        add("variable-required", at, was: old, now: value.excerpt, name: variable, variable: part.variable, message)
    }

    mutating func typeChanged(_ old: String, _ new: String, _ at: Places) {
        add("type-changed", at, was: old, now: new, "The value was \(old), and is \(new).")
    }

    mutating func orderChanged(_ one: [JSONValue], _ two: [JSONValue], _ at: Places) {
        let index = zip(one, two).enumerated().first { $0.element.0 != $0.element.1 }?.offset ?? 0
        let old = was.parts["\(at.was)/\(index)"]?.article ?? one[index].excerpt
        let new = now.parts["\(at.now)/\(index)"]?.article ?? two[index].excerpt
        let message = "The order is another: where \(terms.was) has \(old), \(terms.now) has \(new)."
        add("order-changed", at, was: old, now: new, message)
    }
}

extension JSONValue {
    /// Whether the value of a key, such as a minimum length, makes a variable required.
    fileprivate var isRequirement: Bool { bool ?? number.map { $0.double > 0 } ?? false }
}

extension String {
    /// The word in the form of a rule's name.
    fileprivate var asRule: String { replacing(" ", with: "-") }
}
