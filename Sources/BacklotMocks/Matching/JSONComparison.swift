import BacklotJSON

/// How two JSON values are compared.
struct JSONComparison: Sendable, Equatable {
    /// Whether the elements of a list may come in any order.
    var ignoresArrayOrder = false
    /// Whether there may be more members and elements than expected.
    var ignoresExtraElements = false

    func areEqual(_ expected: JSONValue, _ actual: JSONValue) -> Bool {
        switch (expected, actual) {
        case (.object(let expected), .object(let actual)):
            guard ignoresExtraElements || expected.count == actual.count else { return false }
            return expected.members.allSatisfy { member in
                actual[member.key].map { areEqual(member.value, $0) } ?? false
            }
        case (.array(let expected), .array(let actual)):
            guard ignoresExtraElements && ignoresArrayOrder || expected.count == actual.count else { return false }
            if !ignoresArrayOrder { return zip(expected, actual).allSatisfy { areEqual($0, $1) } }
            var left = actual
            for element in expected {
                guard let index = left.firstIndex(where: { areEqual(element, $0) }) else { return false }
                left.remove(at: index)
            }
            return true
        case (.string("${json-unit.ignore}"), _), (.string("${json-unit.any-string}"), .string),
            (.string("${json-unit.any-number}"), .number), (.string("${json-unit.any-boolean}"), .bool):
            return true
        default: return expected == actual
        }
    }
}
