internal import BacklotJSON

/// The two ways in which variables named with `#` and `%` arrive: nested since Applin's client 0.34, before that as they stand.
enum VariableNames {
    /// The value of a variable that arrived the other way than its name stands for; nil where it didn't arrive.
    static func value(_ name: String, in object: JSONObject) -> JSONValue? {
        guard let (key, mark, rest) = parts(of: name) else { return collected(name, in: object) }
        if mark == "#" { return object[key]?[rest] }
        guard let items = object[key]?.array else { return nil }
        return .bool(items.contains(.string(rest)))
    }

    /// The variables under all names by which they can be asked for.
    static func both(_ object: JSONObject) -> JSONObject {
        var both = object
        for member in object.members {
            if let (key, _, _) = parts(of: member.key) {
                if object[key] == nil, both[key] == nil { both[key] = collected(key, in: object) }
                continue
            }
            for entry in member.value.object?.members ?? [] {
                let name = "\(member.key)#\(entry.key)"
                if object[name] == nil { both[name] = entry.value }
            }
            for item in member.value.array ?? [] {
                guard let item = item.string, object["\(member.key)%\(item)"] == nil else { continue }
                both["\(member.key)%\(item)"] = true
            }
        }
        return both
    }

    /// The object or array that newer clients would have made of a name's variables; nil where there are none.
    private static func collected(_ key: String, in object: JSONObject) -> JSONValue? {
        var entries = JSONObject()
        var items: [JSONValue] = []
        var isArray = false
        for member in object.members {
            guard let (name, mark, rest) = parts(of: member.key), name == key else { continue }
            if mark == "#" {
                entries[rest] = member.value
            } else {
                isArray = true
                if member.value != false, member.value != "" { items.append(.string(rest)) }
            }
        }
        if entries.count > 0 { return .object(entries) }
        return isArray ? .array(items) : nil
    }

    private static func parts(of name: String) -> (key: String, mark: Character, rest: String)? {
        let mark: Character = name.contains("%") ? "%" : "#"
        guard let index = name.firstIndex(of: mark) else { return nil }
        return (String(name[..<index]), mark, String(name[name.index(after: index)...]))
    }
}
