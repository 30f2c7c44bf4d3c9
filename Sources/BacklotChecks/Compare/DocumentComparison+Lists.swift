internal import Backlot

extension DocumentComparison {
    mutating func compare(_ one: [JSONValue], _ two: [JSONValue], _ at: Places) {
        let isAll = terms.depth == .all
        if isAll, isShuffled(one, two) { return orderChanged(one, two, at) }
        let left = one.indices.map { was.parts["\(at.was)/\($0)"] }
        let right = two.indices.map { now.parts["\(at.now)/\($0)"] }
        let parts = (left + right).compactMap(\.self)
        let isStructure =
            isAll || !parts.isEmpty && !parts.contains(where: \.isRow) && isStable(right, at.now)
        guard isStructure, one.count * two.count <= ListAlignment.most else {
            return isAll ? comparePairs(one, two, at) : compareRows(rows(one, at.was), rows(two, at.now), at.was)
        }
        let alignment = ListAlignment(
            one.indices.map { element(one[$0], left[$0], "\(at.was)/\($0)", was) },
            two.indices.map { element(two[$0], right[$0], "\(at.now)/\($0)", now) }
        )
        for step in alignment.steps {
            switch step {
            case .both(let first, let second): compare(one[first], two[second], at.elements(first, second))
            case .removed(let index): removed(one[index], "\(at.was)/\(index)")
            case .added(let index): added(two[index], Places(was: at.was, now: "\(at.now)/\(index)"))
            }
        }
    }

    private func element(
        _ value: JSONValue,
        _ part: ComparedPart?,
        _ pointer: String,
        _ document: ComparedDocument
    ) -> ListAlignment.Element {
        let isAll = terms.depth == .all
        // The route of the part's first action. If a value of the data is in it, the part is a row of a list.
        let row = isAll ? nil : document.firstTarget(in: value, at: pointer).map(terms.route)
        return ListAlignment.Element(
            value: value,
            part: part,
            row: row.flatMap { $0.contains("*") ? $0 : nil },
            // Not a plain `nil`, which would be JSON's null.
            shape: isAll ? .some(value.shape) : .none,
            route: part?.target.map(terms.route)
        )
    }

    /// Whether two lists have the same elements in another order.
    private func isShuffled(_ one: [JSONValue], _ two: [JSONValue]) -> Bool {
        guard one.count == two.count, one.count > 1, one != two else { return false }
        var counts = Counts(one)
        return two.allSatisfy { counts.take($0) }
    }

    /// Compares lists that are too long to align.
    private mutating func comparePairs(_ one: [JSONValue], _ two: [JSONValue], _ at: Places) {
        let both = min(one.count, two.count)
        for index in 0..<both { compare(one[index], two[index], at.elements(index, index)) }
        for index in one.indices.dropFirst(both) { removed(one[index], "\(at.was)/\(index)") }
        for index in two.indices.dropFirst(both) { added(two[index], Places(was: at.was, now: "\(at.now)/\(index)")) }
    }

    /// Whether the second side's responses had parts of the same kinds in both passes.
    private func isStable(_ parts: [ComparedPart?], _ pointer: String) -> Bool {
        guard let again, let other = again.value.value(at: pointer)?.array else { return true }
        return other.indices.map { again.parts["\(pointer)/\($0)"]?.name } == parts.map { $0?.name }
    }

    // MARK: Rows of data

    /// A value with its pointer.
    private struct Row {
        let value: JSONValue
        let pointer: String
    }

    /// The values in rows by key.
    private struct Columns {
        /// The keys, in the order of the rows.
        private(set) var keys: [String] = []
        private var values: [ExactKey: [Row]] = [:]

        init(_ rows: [Row]) {
            for row in rows {
                for member in row.value.object?.members ?? [] {
                    let key = ExactKey(text: member.key)
                    if values[key] == nil { keys.append(member.key) }
                    let value = Row(value: member.value, pointer: row.pointer + JSONPointer.step(member.key))
                    values[key, default: []].append(value)
                }
            }
        }

        subscript(key: String) -> [Row] { values[ExactKey(text: key)] ?? [] }
    }

    private func rows(_ list: [JSONValue], _ pointer: String) -> [Row] {
        list.indices.map { Row(value: list[$0], pointer: "\(pointer)/\($0)") }
    }

    /// Compares rows of data by their common structure, because the number of rows may vary.
    private mutating func compareRows(_ one: [Row], _ two: [Row], _ list: String) {
        guard !one.isEmpty, !two.isEmpty else { return }
        let known = Set(one.map(\.value.typeName))
        if !known.contains("null"), let other = two.first(where: { !known.contains($0.value.typeName) }) {
            let types = known.sorted().joined(separator: " or ")
            return typeChanged(types, other.value.typeName, Places(was: list, now: other.pointer))
        }
        let lists = [one, two].map { $0.flatMap { rows($0.value.array ?? [], $0.pointer) } }
        if !lists[0].isEmpty, !lists[1].isEmpty { compareRows(lists[0], lists[1], "\(list)/*") }
        func kinds(_ rows: [Row], _ document: ComparedDocument) -> [String: [Row]] {
            Dictionary(grouping: rows.filter { $0.value.object != nil }) { document.parts[$0.pointer]?.name ?? "" }
        }
        let left = kinds(one, was)
        guard !left.isEmpty else { return }
        for (name, rows) in kinds(two, now).sorted(by: { $0.key < $1.key }) {
            if let others = left[name] {
                compareMembers(others, rows, "\(list)/*\(name)")
            } else {
                added(rows[0].value, Places(was: list, now: rows[0].pointer))
            }
        }
    }

    private mutating func compareMembers(_ one: [Row], _ two: [Row], _ list: String) {
        let (lefts, rights) = (Columns(one), Columns(two))
        for key in lefts.keys {
            let (left, right) = (lefts[key], rights[key])
            if !right.isEmpty {
                compareRows(left, right, list + JSONPointer.step(key))
            } else if left.count == one.count {
                // A key that only some rows have may be missing from all rows on another day.
                keyRemoved(key, left[0].value, left[0].pointer, inList: list)
            }
        }
        for key in rights.keys where lefts[key].isEmpty {
            let first = rights[key][0]
            keyAdded(key, first.value, Places(was: list, now: first.pointer))
        }
    }
}
