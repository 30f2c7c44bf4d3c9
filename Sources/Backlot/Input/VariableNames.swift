/// The two ways in which variables named with `#` and `%` arrive: nested since Applin's client 0.34, before that as they stand.
enum VariableNames {
    /// The value of a variable that arrived the other way than its name stands for; nil where it didn't arrive.
    static func value(_ name: String, in object: JSONObject) -> JSONValue? {
        guard let (key, mark, rest) = parts(of: name) else {
            return collected(object).first { $0.key == name }?.value
        }
        if mark == "#" { return object[key]?[rest] }
        guard let items = object[key]?.array else { return nil }
        return .bool(items.contains(.string(rest)))
    }

    /// The variables under all names by which they can be asked for.
    static func both(_ object: JSONObject) -> JSONObject {
        var both = object
        var names = Set(object.members.map(\.key))
        for (key, value) in collected(object) where names.insert(key).inserted { both.append(key, value) }
        for member in object.members where parts(of: member.key) == nil {
            for entry in member.value.object?.members ?? [] {
                let name = "\(member.key)#\(entry.key)"
                if names.insert(name).inserted { both.append(name, entry.value) }
            }
            for item in member.value.array ?? [] {
                guard let item = item.string else { continue }
                let name = "\(member.key)%\(item)"
                if names.insert(name).inserted { both.append(name, true) }
            }
        }
        return both
    }

    /// The objects and arrays that newer clients would have made of variables, in the order of their first ones.
    private static func collected(_ object: JSONObject) -> [(key: String, value: JSONValue)] {
        var keys: [String] = []
        var entries: [String: JSONObject] = [:]
        var items: [String: [JSONValue]] = [:]
        for member in object.members {
            guard let (key, mark, rest) = parts(of: member.key) else { continue }
            if entries[key] == nil, items[key] == nil { keys.append(key) }
            if mark == "#" {
                // The names of variables differ, and so does what is left of them.
                entries[key, default: JSONObject()].append(rest, member.value)
            } else {
                let isChosen = member.value != false && member.value != ""
                items[key, default: []] += isChosen ? [.string(rest)] : []
            }
        }
        return keys.map { key in (key, entries[key].map { .object($0) } ?? .array(items[key] ?? [])) }
    }

    private static func parts(of name: String) -> (key: String, mark: Character, rest: String)? {
        let mark: Character = name.contains("%") ? "%" : "#"
        guard let index = name.firstIndex(of: mark) else { return nil }
        return (String(name[..<index]), mark, String(name[name.index(after: index)...]))
    }
}
