import Backlot
package import BacklotJSON

/// Compares what a mock answers with what the backend does: which parts and keys there are, and of which types. Texts and numbers
/// don't count, unless that is asked for.
package struct DocumentDrift {
    /// How closely two answers are compared.
    package enum Depth: Sendable {
        /// By what parts there are.
        case structure
        /// By texts, numbers and booleans, too.
        case values
        /// By everything, such as how many rows of data there are, and in which order.
        case all
    }

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
    let otherPass: AnswerDocument?
    let route: (String) -> String
    let depth: Depth
    let sides: DriftSides
    let isSameText: (String, String) -> Bool

    /// How many further differences there are.
    package private(set) var dropped = 0
    private let most: Int
    private let ignoring: (DriftChange) -> Bool

    /// Compares two answers.
    ///
    /// - Parameters:
    ///   - otherPass: what the backend has answered another time; nil where it wasn't asked again.
    ///   - words: the words of the protocol; nil for plain JSON.
    ///   - depth: how closely they are compared. Values that differ between the backend's passes never count.
    ///   - sides: what the two are called.
    ///   - isSameText: whether two texts that differ mean the same.
    ///   - most: how many differences are kept; the others are counted.
    ///   - ignoring: whether a difference doesn't count, so that it takes no room from others.
    ///   - route: the route that a path leads to, in which values such as ids don't count.
    package init(
        mock: JSONValue,
        backend: JSONValue,
        otherPass: JSONValue? = nil,
        words: AnswerWords?,
        depth: Depth = .structure,
        sides: DriftSides = .mockAndBackend,
        isSameText: @escaping (String, String) -> Bool = { $0 == $1 },
        most: Int = 200,
        ignoring: @escaping (DriftChange) -> Bool = { _ in false },
        route: @escaping (String) -> String
    ) {
        self.mock = AnswerDocument(mock, words)
        self.backend = AnswerDocument(backend, words)
        self.otherPass = otherPass.map { AnswerDocument($0, words) }
        self.depth = depth
        self.sides = sides
        self.isSameText = isSameText
        self.most = most
        self.ignoring = ignoring
        self.route = route
        compare(mock, "", backend, "")
    }

    mutating func add(_ change: DriftChange) {
        guard !ignoring(change) else { return }
        guard changes.count < most else {
            dropped += 1
            return
        }
        var change = change
        let isRead = change.now == nil ? mock.isRead(change.pointer) : backend.isRead(change.pointer)
        if !isRead { change.isWithoutEffect = true }
        changes.append(change)
    }

    // MARK: Values

    mutating func compare(_ one: JSONValue, _ place: String, _ two: JSONValue, _ pointer: String) {
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

    mutating func compareScalars(_ one: JSONValue, _ place: String, _ two: JSONValue, _ pointer: String) {
        guard one != two else { return }
        if let left = one.string, let right = two.string, pairs.count < 10_000 {
            pairs.append(Pair(mock: left, backend: right, isTarget: false))
        }
        guard depth != .structure, otherPass == nil || otherPass?.value.value(at: pointer) == two else { return }
        if let left = one.string, let right = two.string, isSameText(left, right) { return }
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

    mutating func compare(
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
    mutating func compareWords(
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
                    variable: one,
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

    func requires(_ value: JSONValue) -> Bool {
        value.bool ?? value.number.map { $0.double > 0 } ?? false
    }
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
