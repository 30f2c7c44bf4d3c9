import BacklotJSON

/// A value that has yet to become a node: an object, or for actions also a string.
struct PageSlot {
    let kind: PageNode.Kind
    let value: JSONValue
    /// The node that it stands in: an index into the tree's nodes.
    let parent: Int?
    /// The key of the parent under which it stands.
    let key: String
    /// The way from the parent, as JSON pointer.
    let pointer: String
    /// The list of actions that it belongs to: an index into the tree's lists.
    var actionList: Int?
    /// Its name on a finding's path.
    var name = ""

    /// Names the slots of one parent, with a number where several would have the same name.
    static func nameSiblings(_ slots: inout [PageSlot]) {
        for index in slots.indices {
            slots[index].name = slots[index].baseName
        }
        guard slots.count > 1 else { return }
        var totals: [String: Int] = [:]
        for slot in slots {
            totals[slot.name, default: 0] += 1
        }
        guard totals.count < slots.count else { return }
        var seen: [String: Int] = [:]
        for index in slots.indices {
            let name = slots[index].name
            guard let total = totals[name], total > 1 else { continue }
            let number = seen[name, default: 0] + 1
            seen[name] = number
            slots[index].name = "\(name) #\(number)"
        }
    }

    private var baseName: String {
        let object = value.object ?? ActionForm.object(of: value.string ?? "")
        let typ = object["typ"]?.string ?? ""
        let labels: [String]
        switch kind {
        case .page: return ""
        case .action: labels = Schema.actions[typ]?.argument.map { [$0] } ?? ["title", "var_name"]
        case .widget, .modalButton: labels = ["var_name", "text", "title"]
        }
        let noun = typ.isEmpty || kind == .modalButton ? kind.rawValue : typ.excerpt
        let label = labels.lazy.compactMap { object[$0]?.string }.first { !$0.isEmpty }
        return label.map { "\(noun) \($0.quoted)" } ?? noun
    }
}

extension PageNode {
    /// Makes a node of what stands in a slot.
    init(_ slot: PageSlot) {
        let object = slot.value.object ?? ActionForm.object(of: slot.value.string ?? "")
        let typ = slot.kind == .modalButton ? Schema.modalButton.typ : object["typ"]?.string ?? ""
        kind = slot.kind
        self.typ = typ
        self.object = object
        text = slot.value.string
        parent = slot.parent
        key = slot.key
        pointer = slot.pointer
        name = slot.name
        switch slot.kind {
        case .page: schema = Schema.pages[typ]
        case .widget: schema = Schema.widgets[typ]
        case .action: schema = Schema.actions[typ]
        case .modalButton: schema = Schema.modalButton
        }
    }
}
