internal import BacklotJSON

extension AppState {
    /// What an input shows, and what is sent for it: the variable, or while that is unset, the initial value.
    func value(of input: PageInput) -> JSONValue { variables[input.name] ?? input.initial }

    /// The body of a POST from a page: an entry for each of its inputs; nil for a page without inputs.
    ///
    /// - Throws: an error of the app where two inputs have one variable: a client can't send them.
    func variables(of path: String) throws(ShownError) -> JSONObject? {
        guard let inputs = entry(path)?.page.inputs, !inputs.isEmpty else { return nil }
        var names: Set<String> = []
        var sent = SentVariables()
        for input in inputs {
            guard names.insert(input.name).inserted else {
                throw ShownError(.app, "The page \(path) has two inputs for the variable '\(input.name)'.")
            }
            let value = value(of: input)
            // A page that shares the variable may have set it to another type; then it isn't sent.
            guard value.hasType(of: input.initial) else { continue }
            sent.add(input.name, value)
        }
        return sent.isEmpty ? nil : sent.object
    }
}

/// Variables as they go into the body of a POST: `name#key` into an object, `name%item` into an array.
struct SentVariables {
    private(set) var object: JSONObject = [:]

    var isEmpty: Bool { object.count == 0 }

    mutating func add(_ name: String, _ value: JSONValue) {
        guard let mark = name.firstIndex(where: { $0 == "#" || $0 == "%" }) else {
            object[name] = value
            return
        }
        let key = String(name[..<mark])
        let rest = String(name[name.index(after: mark)...])
        if name[mark] == "#" {
            var entries = object[key]?.object ?? [:]
            entries[rest] = value
            object[key] = .object(entries)
        } else {
            // The item is there whatever its input holds.
            object[key] = .array((object[key]?.array ?? []) + [.string(rest)])
        }
    }
}

extension JSONValue {
    fileprivate func hasType(of other: JSONValue) -> Bool { (bool != nil) == (other.bool != nil) }
}

extension JSONObject {
    /// The bytes that the iOS client sends: a slash is escaped. Backends that don't read JSON properly trip over it.
    var requestBody: [UInt8] {
        let bytes = JSONValue.object(self).bytes
        guard bytes.contains(UInt8(ascii: "/")) else { return bytes }
        // A slash can only stand in a string.
        return bytes.flatMap { $0 == UInt8(ascii: "/") ? [UInt8(ascii: "\\"), $0] : [$0] }
    }
}
