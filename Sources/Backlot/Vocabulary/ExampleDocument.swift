/// Documents made from a vocabulary.
extension Vocabulary {
    /// An object with values for some of its keys. It has one of several keys that exclude each other.
    ///
    /// - Parameters:
    ///   - role: the object's role.
    ///   - isWanted: selects the keys.
    package func example(
        of kind: Kind,
        as role: Role,
        for audience: Audience,
        _ isWanted: (Key) -> Bool
    ) -> JSONObject {
        var object = JSONObject()
        if case .key(let key) = role.naming { object[key] = .string(kind.name) }
        for key in kind.keys where object[key.name] == nil && key.support.covers(audience) && isWanted(key) {
            object[key.name] = example(of: key.type, in: object, named: key.name, for: audience)
        }
        for group in kind.groups {
            let given = group.keys.filter { object[$0] != nil }
            if group.rule != .atLeastOne { for name in given.dropFirst() { object[name] = nil } }
            if group.rule != .atMostOne, given.isEmpty, let name = group.keys.first,
                let key = kind.key(name, for: audience)
            {
                object[name] = example(of: key.type, in: object, named: name, for: audience)
            }
        }
        return object
    }

    /// The smallest value that clients accept for a role.
    private func leastExample(of role: Role, only: [String], in parent: JSONObject, for audience: Audience) -> JSONValue
    {
        var kinds = kinds(as: role).filter {
            $0.support.covers(audience) && (only.isEmpty || only.contains($0.name))
        }
        if case .parentKey(let key) = role.naming { kinds = kinds.filter { $0.name == parent[key]?.string } }
        let least = kinds.min { left, right in
            let (leftNeeds, rightNeeds) = (left.keys.count { $0.isNeeded }, right.keys.count { $0.isNeeded })
            return (leftNeeds, left.keys.count) < (rightNeeds, right.keys.count)
        }
        guard let least else { return .object(JSONObject()) }
        return .object(example(of: least, as: role, for: audience) { $0.isNeeded })
    }

    /// A value that clients accept.
    private func example(
        of type: ValueType,
        in parent: JSONObject,
        named name: String,
        for audience: Audience
    ) -> JSONValue {
        switch type {
        case .any, .bool: true
        case .string: .string("/\(name)")
        case .text(let form): .string(form.example)
        case .oneOf(let names, _): .string(names.last?.text ?? "")
        case .numeric(let bounds): .number(bounds.example)
        case .list(let element, let count):
            .array(Array(repeating: example(of: element, in: parent, named: name, for: audience), count: count.example))
        case .nullable(let type): example(of: type, in: parent, named: name, for: audience)
        case .map(let type): .object(["1": example(of: type, in: parent, named: name, for: audience)])
        case .node(let role, let only): leastExample(of: role, only: only, in: parent, for: audience)
        case .either(let types): example(of: types.first ?? .any, in: parent, named: name, for: audience)
        }
    }
}

extension Bounds {
    fileprivate var example: JSONNumber {
        let number = range.contains(1.5) ? 1.5 : min(max(range.lowerBound, 1), range.upperBound)
        return JSONNumber(isWhole ? max(range.lowerBound, number.rounded(.down)) : number) ?? JSONNumber(Int64(1))
    }
}

extension Count {
    fileprivate var example: Int {
        switch self {
        case .any: 1
        case .atLeast(let least): max(1, least)
        case .exactly(let counts): counts.max() ?? 1
        }
    }
}
