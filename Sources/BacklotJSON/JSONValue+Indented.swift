extension JSONValue {
    /// The value as JSON for people: a line for each member, but arrays of plain values on one.
    package var indented: String {
        var text = ""
        write(into: &text, indent: "")
        return text
    }

    private func write(into text: inout String, indent: String) {
        let inner = indent + "  "
        switch self {
        case .array(let elements) where !elements.allSatisfy(\.isPlain):
            text += "[\n"
            for (index, element) in elements.enumerated() {
                text += inner
                element.write(into: &text, indent: inner)
                text += index < elements.count - 1 ? ",\n" : "\n"
            }
            text += indent + "]"
        case .array(let elements):
            text += "[" + elements.map(\.description).joined(separator: ", ") + "]"
        case .object(let object) where object.count > 0:
            text += "{\n"
            for (index, member) in object.members.enumerated() {
                text += "\(inner)\(JSONValue.string(member.key)): "
                member.value.write(into: &text, indent: inner)
                text += index < object.count - 1 ? ",\n" : "\n"
            }
            text += indent + "}"
        default: text += description
        }
    }

    private var isPlain: Bool { array == nil && object == nil }
}
