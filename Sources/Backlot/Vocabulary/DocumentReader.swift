/// Reads a document into a tree, and compares each of its objects with the declaration of its kind.
///
/// It keeps unread objects in an array, so that a deep document needs no stack. It reads each value once.
package struct DocumentReader {
    /// An object that isn't a node yet.
    private struct Slot {
        let role: Role
        let only: [String]
        let value: JSONValue
        let parent: Int?
        let key: String
        let pointer: String
        let isRead: Bool
        /// The name of its kind; nil if it is missing.
        var kindName: JSONValue?
        var step = ""

        /// The node's members; for an object written as a text, the members that the text stands for.
        func object(_ vocabulary: Vocabulary) -> JSONObject {
            value.object ?? role.readText?(value.string ?? "", vocabulary) ?? JSONObject()
        }
    }

    let vocabulary: Vocabulary
    let audience: Audience
    package private(set) var tree = DocumentTree()
    package internal(set) var remarks = Remarks()
    private var pending: [Slot] = []
    /// The objects directly inside the current node.
    private var found: [Slot] = []
    /// Whether an unknown key in an object of a role is an error.
    package var refusesUnknownKeys: (Role) -> Bool = { _ in false }
    /// The suggestions for unknown keys, cached because documents tend to repeat their mistakes.
    var suggestedKeys: [String: String?] = [:]

    package init(_ vocabulary: Vocabulary, for audience: Audience) {
        self.vocabulary = vocabulary
        self.audience = audience
    }

    /// The key that a document which is a list leaves out; empty for an object.
    private var omittedKey = ""

    /// Reads a document with an outermost object of a kind, or a list in place of it (``Kind/listKey``).
    package mutating func read(_ document: JSONValue, as root: Kind) {
        var document = document
        if document.array != nil, let key = root.listKey {
            omittedKey = key
            document = .object([key: document])
        }
        guard document.object != nil else {
            let needed = root.keys.filter { $0.support.covers(audience) && $0.isNeeded }.map(\.name.quoted)
            return report(
                .error,
                "not-an-object",
                at: nil,
                message:
                    "\(vocabulary.readers.capitalizedFirst) read \(root.noun) here, which is an object, but this document is "
                    + "\(document.summary).",
                fix: "Respond with an object\(needed.isEmpty ? "" : " that has \(needed.joined(separator: ", "))")."
            )
        }
        let slot = Slot(
            role: root.roles[0],
            only: [],
            value: document,
            parent: nil,
            key: "",
            pointer: "",
            isRead: true,
            kindName: .string(root.name)
        )
        pending.append(slot)
        while let slot = pending.popLast() { visit(slot) }
    }

    private mutating func visit(_ slot: Slot) {
        let name = slot.kindName?.string ?? ""
        let node = DocumentNode(
            index: tree.nodes.count,
            role: slot.role,
            kind: vocabulary.kind(name, as: slot.role),
            name: name,
            object: slot.object(vocabulary),
            text: slot.value.string,
            parent: slot.parent,
            key: slot.key,
            pointer: slot.pointer,
            step: slot.step,
            isRead: slot.isRead
        )
        _ = tree.append(node)
        checkKind(of: node, slot.kindName, only: slot.only)
        guard node.text == nil else { return }
        found.removeAll(keepingCapacity: true)
        if !node.isRead, vocabulary.sharesKeys(node.role) {
            checkSharedKeys(of: node)
        } else if let kind = node.kind {
            checkKeys(of: node, kind)
        }
        nameSiblings()
        pending.append(contentsOf: found.reversed())
    }

    /// Adds an object, or a value in its place, to read after the current node.
    mutating func add(_ value: JSONValue, as role: Role, only: [String], at place: ValuePlace) {
        let name: JSONValue? =
            switch role.naming {
            case .key(let key): (value.object ?? role.readText?(value.string ?? "", vocabulary))?[key]
            case .parentKey(let key): tree.nodes[place.node.index].object[key]
            case .single: vocabulary.kinds(as: role).first.map { .string($0.name) }
            }
        found.append(
            Slot(
                role: role,
                only: only,
                value: value,
                parent: place.node.index,
                key: place.key.name,
                pointer: place.node.index == 0 && place.key.name == omittedKey
                    ? String(place.pointer.dropFirst(JSONPointer.step(omittedKey).count)) : place.pointer,
                isRead: place.node.isRead && !place.isForeign,
                kindName: name?.isNull == true ? Optional.none : name
            )
        )
    }

    // MARK: Steps

    /// Names the objects inside one node, with a number where several would have the same name.
    private mutating func nameSiblings() {
        for index in found.indices { found[index].step = step(of: found[index]) }
        guard found.count > 1 else { return }
        var totals: [String: Int] = [:]
        for slot in found { totals[slot.step, default: 0] += 1 }
        guard totals.count < found.count else { return }
        var seen: [String: Int] = [:]
        for index in found.indices {
            let step = found[index].step
            guard let total = totals[step], total > 1 else { continue }
            let number = seen[step, default: 0] + 1
            seen[step] = number
            found[index].step = "\(step) #\(number)"
        }
    }

    private func step(of slot: Slot) -> String {
        guard slot.role.hasStep else { return "" }
        let object = slot.object(vocabulary)
        let name = slot.kindName?.string ?? ""
        let kind = vocabulary.kind(name, as: slot.role)
        let labels = kind?.argument.map { [$0] } ?? slot.role.labels
        let label = labels.lazy.compactMap { key -> String? in
            switch object[key] {
            case .string(let text) where !text.isEmpty: text.quoted
            case .number(let number)
            where kind?.key(key, for: audience)?.type.fits(.number(number)) == true:
                JSONValue.number(number).description
            default: nil
            }
        }.first
        let noun = slot.role.ownKey == nil || name.isEmpty ? slot.role.noun : name.excerpt
        return label.map { "\(noun) \($0)" } ?? noun
    }
}

/// The position of a value: under a key of an object, or in an array there.
struct ValuePlace {
    let node: DocumentNode
    let key: Key
    /// Whether clients read the value only because another kind of object has such a key.
    let isForeign: Bool
    /// The position in sentences: `"options"[2]`.
    private(set) var noun: String
    /// The path from the object, as a JSON pointer.
    private(set) var pointer: String

    init(_ node: DocumentNode, _ key: Key, isForeign: Bool = false) {
        self.node = node
        self.key = key
        self.isForeign = isForeign
        noun = key.name.quoted
        pointer = JSONPointer.step(key.name)
    }

    subscript(index: Int) -> ValuePlace {
        var place = self
        place.noun += "[\(index)]"
        place.pointer += "/\(index)"
        return place
    }

    subscript(member name: String) -> ValuePlace {
        var place = self
        place.noun += "[\(name.quoted)]"
        place.pointer += JSONPointer.step(name)
        return place
    }
}
