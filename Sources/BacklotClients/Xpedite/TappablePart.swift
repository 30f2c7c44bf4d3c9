package import Backlot

/// Something that can be tapped.
struct TappablePart {
    enum Kind: Equatable {
        case plain
        /// Saves or cancels a form: its values are sent with it.
        case leave(form: String)
    }

    let text: String
    let method: JSONObject
    var kind = Kind.plain
    /// Whether it leaves a form.
    var isCancel = false
}

/// A call of a method that a tap on the screen makes.
package struct XpediteLink {
    /// The text that is tapped.
    package let text: String
    /// The packet that goes out.
    package let packet: JSONObject
    /// Whether it saves what was typed, or sends it along.
    package let takesInput: Bool
}

extension XpediteClient {
    /// The calls that can be made from the screen, those of rows aside. Leaving a form takes nothing of what was typed.
    package var links: [XpediteLink] {
        tappables.map { target in
            let isCancel = target.isCancel
            let packet = packet(for: target)
            return XpediteLink(text: target.text, packet: packet, takesInput: packet["formdata"] != nil && !isCancel)
        }
    }

    /// All that can be tapped, from top to bottom, menus last.
    var tappables: [TappablePart] {
        var found: [TappablePart] = []
        for component in components {
            switch component["type"]?.string {
            case "button":
                guard let method = component["method"]?.object else { continue }
                let text = component["text"]?.string ?? component["icon"]?.string ?? ""
                found.append(TappablePart(text: text, method: method))
            case "form":
                let form = component["id"]?.string ?? ""
                for (key, standard) in [("save", "Save"), ("cancel", "Cancel")] {
                    guard let method = component[key]?.object else { continue }
                    let text = component["\(key)Navigation"]?.string ?? standard
                    found.append(
                        TappablePart(text: text, method: method, kind: .leave(form: form), isCancel: key == "cancel")
                    )
                }
            default: break
            }
        }
        for menu in menus {
            let entries = (menu["components"]?.array ?? []).compactMap(\.object)
            for entry in entries {
                guard let method = entry["method"]?.object else { continue }
                let text = entry["text"]?.string ?? menu["implementation"]?["icon"]?.string ?? ""
                found.append(TappablePart(text: text, method: method))
            }
        }
        return found
    }

    /// Taps a button, an entry of a menu, or the button that saves or cancels a form, by its text; one without a text by its
    /// icon.
    public func tap(_ text: String, file: String = #fileID, line: Int = #line) async throws {
        let step = StepCall("tap(\"\(text)\")", file, line)
        guard let target = tappables.first(where: { $0.text == text }) else {
            throw missing(step, "nothing to tap says", text, among: tappables.map(\.text))
        }
        try await show(packet(for: target), step)
    }

    /// The packet that a tap sends.
    func packet(for target: TappablePart) -> JSONObject {
        var packet = makePacket(target.method["function"]?.string ?? "", target.method["parameters"]?.object)
        switch target.kind {
        // A form without an id has no place for its values.
        case .leave(let form) where !form.isEmpty: packet["formdata"] = [form: .object(formValues(form))]
        case .plain where target.method["formdata"]?.bool == true: packet["formdata"] = .object(allValues)
        case .leave, .plain: break
        }
        return packet
    }

    /// Taps a row of a table, by its place from the top; nil for the only table on the page.
    public func tapRow(_ row: Int, of method: String? = nil, file: String = #fileID, line: Int = #line) async throws {
        let step = StepCall("tapRow(\(row))", file, line)
        let table = components("table").first { method == nil || $0["data"]?["dynamic"]?.string == method }
        guard let click = table?["clickRow"]?.object, let name = table?["data"]?["dynamic"]?.string else {
            throw failure(step, "there is no table whose rows can be tapped")
        }
        guard let rows = tables[name]?.rows, rows.indices.contains(row) else {
            throw failure(step, "the table has \(tables[name]?.rows.count ?? 0) rows")
        }
        try await show(packet(for: click, row: rows[row]), step)
    }

    /// The packet that a tap on a row sends.
    package func packet(for click: JSONObject, row: JSONObject) -> JSONObject {
        var packet = makePacket(click["function"]?.string ?? "", click["parameters"]?.object)
        if let field = click["selected"]?.string, let value = row[field] {
            var parameters = packet["parameters"]?.object ?? [:]
            switch configuration.selection {
            case .parametersField: parameters[field] = value
            case .topLevelField: packet[field] = value
            case .selected: packet["selected"] = value
            case .parametersSelected: parameters["selected"] = value
            }
            if parameters.count > 0 { packet["parameters"] = .object(parameters) }
        }
        return packet
    }
}
