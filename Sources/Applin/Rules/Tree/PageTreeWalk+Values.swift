import Backlot
import BacklotJSON

/// What stands under a key: clients reject the whole page when its type is not the one that they expect.
extension PageTreeWalk {
    /// Checks one value that is not null. Nodes inside it are added to `slots`.
    mutating func check(_ value: JSONValue, _ key: SchemaKey, _ node: Int, _ slots: inout [PageSlot]) {
        let place = "\"\(key.name)\""
        let pointer = "/\(key.name)"
        switch key.type {
        case .string where value.string != nil, .bool where value.bool != nil, .number where value.number != nil: break
        case .unsigned where value.number != nil: checkRange(value, place, at: node, pointer)
        case .oneOf(let values) where value.string != nil: checkMembership(value, values, place, at: node, pointer)
        case .strings where value.array != nil:
            checkElements(value, place, at: node, pointer) { walk, element, place, pointer in
                if element.string == nil {
                    walk.reportWrongType(element, place, "a string", at: node, pointer)
                }
            }
        case .widget where value.object != nil:
            slots.append(PageSlot(kind: .widget, value: value, parent: node, key: key.name, pointer: pointer))
        case .widgets where value.array != nil: addSlots(.widget, value, key, node, pointer, &slots)
        case .modalButtons where value.array != nil: addSlots(.modalButton, value, key, node, pointer, &slots)
        case .actions where value.array != nil:
            addSlots(.action, value, key, node, pointer, list: addActionList(), &slots)
        case .rowGroups where value.array != nil: addCells(value, key, node, &slots)
        default: reportWrongType(value, place, key.type.noun, at: node, pointer)
        }
    }

    mutating func reportWrongType(
        _ value: JSONValue,
        _ place: String,
        _ expected: String,
        at node: Int,
        _ pointer: String
    ) {
        report(
            .error,
            SchemaRule.wrongType,
            at: node,
            pointer,
            "\(place) is \(value.summary), but clients expect \(expected) and reject the whole page.",
            fix: "Make \(place) \(expected)."
        )
    }

    private mutating func checkRange(_ value: JSONValue, _ place: String, at node: Int, _ pointer: String) {
        if let number = value.number?.uint64, number <= UInt64(UInt32.max) { return }
        report(
            .error,
            SchemaRule.numberOutOfRange,
            at: node,
            pointer,
            "\(place) is \(value), but clients expect \(ValueType.unsigned.noun) and reject the whole page.",
            fix: "Make \(place) \(ValueType.unsigned.noun)."
        )
    }

    private mutating func checkMembership(
        _ value: JSONValue,
        _ values: [String],
        _ place: String,
        at node: Int,
        _ pointer: String
    ) {
        guard let string = value.string, !values.contains(string) else { return }
        report(
            .warning,
            SchemaRule.unknownValue,
            at: node,
            pointer,
            "\(place) is \(string.quoted), which clients don't know, so they use their default.",
            fix: Suggestion.nearest(to: string, among: values).map { "Write \"\($0)\", if that is what you mean." }
                ?? "Write \(ValueType.oneOf(values).noun)."
        )
    }

    // MARK: Arrays

    /// Goes through an array, which may not hold null.
    private mutating func checkElements(
        _ value: JSONValue,
        _ place: String,
        at node: Int,
        _ pointer: String,
        _ body: (inout Self, JSONValue, _ place: String, _ pointer: String) -> Void
    ) {
        for (index, element) in (value.array ?? []).enumerated() {
            let pointer = "\(pointer)/\(index)"
            if element.isNull {
                report(
                    .error,
                    SchemaRule.nullInArray,
                    at: node,
                    pointer,
                    "\(place) holds null at index \(index), so clients reject the whole page.",
                    fix: "Remove the null; only the rows of a grouped_row_table may hold some."
                )
            } else {
                body(&self, element, "\(place)[\(index)]", pointer)
            }
        }
    }

    private mutating func addSlots(
        _ kind: PageNode.Kind,
        _ value: JSONValue,
        _ key: SchemaKey,
        _ node: Int,
        _ pointer: String,
        list: Int? = nil,
        _ slots: inout [PageSlot]
    ) {
        checkElements(value, "\"\(key.name)\"", at: node, pointer) { walk, element, place, pointer in
            guard element.object != nil || kind == .action && element.string != nil else {
                walk.reportWrongType(element, place, kind.noun, at: node, pointer)
                return
            }
            slots.append(
                PageSlot(
                    kind: kind,
                    value: element,
                    parent: node,
                    key: key.name,
                    pointer: pointer,
                    actionList: list
                )
            )
        }
    }

    /// Groups of rows of widgets, where null leaves a cell empty.
    private mutating func addCells(_ value: JSONValue, _ key: SchemaKey, _ node: Int, _ slots: inout [PageSlot]) {
        checkElements(value, "\"\(key.name)\"", at: node, "/\(key.name)") { walk, group, place, pointer in
            guard group.array != nil else {
                walk.reportWrongType(group, place, "an array of rows", at: node, pointer)
                return
            }
            walk.checkElements(group, place, at: node, pointer) { walk, row, place, pointer in
                guard let cells = row.array else {
                    walk.reportWrongType(row, place, "an array of widgets", at: node, pointer)
                    return
                }
                for (index, cell) in cells.enumerated() where !cell.isNull {
                    let pointer = "\(pointer)/\(index)"
                    guard cell.object != nil else {
                        walk.reportWrongType(cell, "\(place)[\(index)]", "a widget or null", at: node, pointer)
                        continue
                    }
                    slots.append(
                        PageSlot(kind: .widget, value: cell, parent: node, key: key.name, pointer: pointer)
                    )
                }
            }
        }
    }
}
