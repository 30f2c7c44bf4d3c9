extension SchemaRun {
    // MARK: Single values

    mutating func assert(_ keyword: SchemaKeyword, _ value: JSONValue) -> Bool {
        switch keyword {
        case .never: return fail("", "isn't allowed here")
        case .types(let types):
            if types.contains(where: { $0.includes(value) }) { return true }
            let list = types.map(\.text).joined(separator: " or ")
            return fail("type", "must be \(list), not \(value.number == nil ? value.typeText : value.shown)")
        case .values(let values, let weight, let name):
            guard spend(weight) else { return false }
            if values.contains(value) { return true }
            let list = values.prefix(10).map(\.shown).joined(separator: ", ") + (values.count > 10 ? ", …" : "")
            return fail(name, "must be \(values.count == 1 ? "" : "one of ")\(list), not \(value.shown)")
        case .number(let bound, let number):
            guard let value = value.number, !bound.allows(value, number) else { return true }
            let shown = JSONValue.number(number).shown
            return fail(bound.rawValue, "must be \(bound.text) \(shown), not \(JSONValue.number(value).shown)")
        case .count(let counted, let least, let bound):
            guard let count = counted.count(value), least ? count < bound : count > bound else { return true }
            let name = "\(least ? "min" : "max")\(counted.rawValue)"
            return fail(name, "must have at \(least ? "least" : "most") \(counted.text(bound)), not \(count)")
        case .pattern(let source, let search):
            guard let text = value.string, !find(search, source, in: text) else { return true }
            return fail("pattern", "must match the pattern \(source.shown), unlike \(text.shown)")
        case .format(let format, let patterns):
            guard let text = value.string, spend(1 + text.utf8.count / 16), !format.fits(text, patterns) else {
                return true
            }
            return fail("format", "must be \(format.text), not \(text.shown)")
        case .metaSchema:
            guard spend(10 * value.weight) else { return false }
            do throws(JSONSchema.ReadingError) {
                _ = try JSONSchema(value) { _ in { _, _ in true } }
                return true
            } catch {
                return fail("$ref", "must be a JSON Schema: \(error)")
            }
        default: return true
        }
    }

    // MARK: Elements

    mutating func applyToElements(
        _ keyword: SchemaKeyword,
        _ elements: [JSONValue],
        _ evaluated: inout Evaluated
    ) -> Bool {
        switch keyword {
        case .elements(let prefix, let rest):
            return all(elements.enumerated()) { run, element in
                guard let node = element.offset < prefix.count ? prefix[element.offset] : rest else { return true }
                evaluated.mark(element.offset, of: elements.count)
                return run.judge(element.element, at: .index(element.offset), by: node)
            }
        case .contains(let node, let least, let most): return contains(node, least, most, elements, &evaluated)
        case .uniqueItems:
            guard elements.count > 1 else { return true }
            var seen: [JSONValue: Int] = [:]
            for (index, element) in elements.enumerated() {
                guard spend(element.weight) else { return false }
                guard let first = seen.updateValue(index, forKey: element) else { continue }
                return fail("uniqueItems", "must have no element twice; elements \(first) and \(index) are equal")
            }
        case .unevaluatedItems(let node):
            defer { evaluated.markAll() }
            return all(elements.enumerated()) {
                evaluated.has($1.offset) || $0.judge($1.element, at: .index($1.offset), by: node)
            }
        default: break
        }
        return true
    }

    private mutating func contains(
        _ node: Int,
        _ least: Int,
        _ most: Int?,
        _ elements: [JSONValue],
        _ evaluated: inout Evaluated
    ) -> Bool {
        var count = 0
        for (index, element) in elements.enumerated() {
            var ignored = Evaluated()
            guard spend(1) else { return false }
            guard fitsQuietly(element, node, &ignored) else { continue }
            count += 1
            evaluated.mark(index, of: elements.count)
        }
        if isGivenUp { return false }
        if count < least {
            let name = least == 1 ? "contains" : "minContains"
            return fail(
                name,
                "must have at least \(SchemaCount.elements.text(least)) that fit 'contains', not \(count)"
            )
        }
        if let most, count > most {
            return fail(
                "maxContains",
                "must have at most \(SchemaCount.elements.text(most)) that fit 'contains', not \(count)"
            )
        }
        return true
    }

    // MARK: Members

    mutating func applyToMembers(
        _ keyword: SchemaKeyword,
        _ value: JSONValue,
        _ object: JSONObject,
        _ evaluated: inout Evaluated
    ) -> Bool {
        switch keyword {
        case .required(let keys): return need(keys, of: object, "required") { "lacks \($0.shown)" }
        case .dependentRequired(let rules):
            return all(rules) { run, rule in
                guard run.has(rule.key, object) else { return true }
                return run.need(rule.needs, of: object, "dependentRequired\(JSONPointer.step(rule.key))") {
                    "lacks \($0.shown), which \(rule.key.shown) needs"
                }
            }
        case .dependentSchemas(let rules):
            return all(rules) { !$0.has($1.key, object) || $0.judge(value, by: $1.node, &evaluated) }
        case .members(let rule): return judge(object, rule, &evaluated)
        case .propertyNames(let node):
            return all(object.members) { $0.judge(.string($1.key), at: .key($1.key), by: node) }
        case .unevaluatedProperties(let node):
            defer { evaluated.markAll() }
            return all(object.members.enumerated()) {
                evaluated.has($1.offset) || $0.judge($1.element.value, at: .key($1.element.key), by: node)
            }
        default: return true
        }
    }

    private mutating func judge(_ object: JSONObject, _ rule: SchemaMembers, _ evaluated: inout Evaluated) -> Bool {
        var fits = true
        for (index, member) in object.members.enumerated() {
            var nodes = rule.named[ExactKey(text: member.key)].map { [$0] } ?? []
            for pattern in rule.patterns where find(pattern.search, pattern.source, in: member.key) {
                nodes.append(pattern.node)
            }
            if nodes.isEmpty, let node = rule.additional { nodes = [node] }
            for node in nodes { fits = judge(member.value, at: .key(member.key), by: node) && fits }
            if !nodes.isEmpty { evaluated.mark(index, of: object.count) }
            guard spend(1) else { return false }
            if !fits, stops { return false }
        }
        return fits
    }

    private mutating func has(_ key: String, _ object: JSONObject) -> Bool {
        spend(1 + object.count / 16) && object[key] != nil
    }

    private mutating func need(
        _ keys: [String],
        of object: JSONObject,
        _ keyword: String,
        _ text: (String) -> String
    ) -> Bool {
        all(keys) { $0.has($1, object) || $0.fail(keyword, text($1)) }
    }
}
