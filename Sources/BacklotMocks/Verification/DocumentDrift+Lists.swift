import Backlot
import BacklotJSON

extension DocumentDrift {
    mutating func compare(_ one: [JSONValue], _ place: String, _ two: [JSONValue], _ pointer: String) {
        let left = one.indices.map { mock.parts["\(place)/\($0)"] }
        let right = two.indices.map { backend.parts["\(pointer)/\($0)"] }
        let parts = (left + right).compactMap(\.self)
        if depth == .all, isShuffled(one, two) { return orderChanged(one, place, two, pointer) }
        let isStructure =
            depth == .all || !parts.isEmpty && !parts.contains(where: \.isRow) && isStable(right, pointer)
        guard isStructure, one.count * two.count <= PartAlignment.most else {
            if depth == .all { return comparePairs(one, place, two, pointer) }
            return compareRows(
                one.indices.map { Place(one[$0], "\(place)/\($0)") },
                two.indices.map { Place(two[$0], "\(pointer)/\($0)") },
                place
            )
        }
        let alignment = PartAlignment(
            one.indices.map { element(one[$0], left[$0], "\(place)/\($0)", mock) },
            two.indices.map { element(two[$0], right[$0], "\(pointer)/\($0)", backend) }
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

    private func element(
        _ value: JSONValue,
        _ part: AnswerPart?,
        _ pointer: String,
        _ document: AnswerDocument
    ) -> PartAlignment.Element {
        PartAlignment.Element(
            value,
            part,
            row: depth == .all ? nil : row(at: pointer, document),
            // A `nil` here would be JSON's null.
            shape: depth == .all ? .some(value.shape) : .none,
            route: part?.target.map(route)
        )
    }

    /// Whether two lists have the same elements in another order.
    private func isShuffled(_ one: [JSONValue], _ two: [JSONValue]) -> Bool {
        guard one.count == two.count, one.count > 1, one != two else { return false }
        var counts = one.reduce(into: [JSONValue: Int]()) { $0[$1, default: 0] += 1 }
        return two.allSatisfy { element in
            guard let count = counts[element], count > 0 else { return false }
            counts[element] = count - 1
            return true
        }
    }

    private mutating func orderChanged(_ one: [JSONValue], _ place: String, _ two: [JSONValue], _ pointer: String) {
        func excerpt(_ list: [JSONValue], _ document: AnswerDocument, _ pointer: String) -> String {
            let index = zip(one, two).enumerated().first { $0.element.0 != $0.element.1 }?.offset ?? 0
            return document.parts["\(pointer)/\(index)"]?.article ?? list[index].excerpt
        }
        let (was, now) = (excerpt(one, mock, place), excerpt(two, backend, pointer))
        add(
            DriftChange(
                .warning,
                "order-changed",
                steps: backend.steps(to: pointer),
                at: pointer,
                was: was,
                now: now,
                place: place,
                "The order is another: where \(sides.was) has \(was), \(sides.now) has \(now)."
            )
        )
    }

    /// Compares lists that are too long to be aligned.
    private mutating func comparePairs(_ one: [JSONValue], _ place: String, _ two: [JSONValue], _ pointer: String) {
        let both = min(one.count, two.count)
        for index in 0..<both { compare(one[index], "\(place)/\(index)", two[index], "\(pointer)/\(index)") }
        for index in one.indices.dropFirst(both) {
            removed(mock.parts["\(place)/\(index)"], one[index], "\(place)/\(index)")
        }
        for index in two.indices.dropFirst(both) {
            added(backend.parts["\(pointer)/\(index)"], two[index], place, "\(pointer)/\(index)")
        }
    }

    /// Whether the backend has answered with parts of the same kinds in both passes.
    func isStable(_ parts: [AnswerPart?], _ pointer: String) -> Bool {
        guard let otherPass, let other = otherPass.value.value(at: pointer)?.array else { return true }
        let names = other.indices.map { otherPass.parts["\(pointer)/\($0)"]?.name }
        return names == parts.map { $0?.name }
    }

    /// The route that the first action of a part leads to, if it has a value in it: then the part is one of a list.
    func row(at pointer: String, _ document: AnswerDocument) -> String? {
        guard let value = document.value.value(at: pointer) else { return nil }
        return document.firstTarget(in: value, at: pointer).map(route).flatMap { $0.contains("*") ? $0 : nil }
    }

    /// A value and its place.
    struct Place {
        let value: JSONValue
        let pointer: String

        init(_ value: JSONValue, _ pointer: String) { (self.value, self.pointer) = (value, pointer) }
    }

    /// Compares rows of data, of which there may be any number: by what they have in common.
    mutating func compareRows(_ one: [Place], _ two: [Place], _ list: String) {
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

    mutating func compareRowLists(_ one: [Place], _ two: [Place], _ list: String) {
        func elements(_ places: [Place]) -> [Place] {
            places.flatMap { place in
                (place.value.array ?? []).enumerated().map { Place($0.element, "\(place.pointer)/\($0.offset)") }
            }
        }
        let (left, right) = (elements(one), elements(two))
        if !left.isEmpty, !right.isEmpty { compareRows(left, right, "\(list)/*") }
    }

    mutating func compareMembers(_ one: [Place], _ two: [Place], _ list: String) {
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
