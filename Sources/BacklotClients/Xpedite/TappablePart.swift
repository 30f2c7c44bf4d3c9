package import Backlot

/// A part of the screen that can be tapped.
struct TappablePart {
    enum Kind: Equatable {
        case plain
        /// Saves or cancels a form, and sends its values.
        case leave(form: String)
    }

    let text: String
    let method: JSONObject
    var kind = Kind.plain
    /// Whether the tap cancels a form.
    var isCancel = false
}

/// A method call that a tap on the screen makes.
package struct XpediteLink {
    /// The tapped text.
    package let text: String
    /// The packet that the client sends.
    package let packet: JSONObject
    /// Whether the call saves or sends the typed values.
    package let takesInput: Bool
}

extension XpediteClient {
    /// The maximum number of parts after which further menus are left out, since each may repeat another one.
    static let mostTappables = 10_000
    /// The maximum number of links: each holds the values of all inputs.
    static let mostLinks = 1000

    /// The calls that are possible on the screen, except calls of rows. Cancelling a form doesn't use its typed values.
    package var links: [XpediteLink] {
        tappables.prefix(Self.mostLinks).map { target in
            let isCancel = target.isCancel
            let packet = packet(for: target)
            return XpediteLink(text: target.text, packet: packet, takesInput: packet["formdata"] != nil && !isCancel)
        }
    }

    /// The tappable parts from top to bottom, menus last.
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
        for menu in menus where found.count < Self.mostTappables {
            let entries = (menu["components"]?.array ?? []).compactMap(\.object)
            for entry in entries {
                guard let method = entry["method"]?.object else { continue }
                let text = entry["text"]?.string ?? menu["implementation"]?["icon"]?.string ?? ""
                found.append(TappablePart(text: text, method: method))
            }
        }
        return found
    }

    /// Taps a button, an entry of a menu, or the button that saves or cancels a form, chosen by its text, or by its icon if it
    /// has no text.
    public func tap(_ text: String, file: String = #fileID, line: Int = #line) async throws {
        let step = StepCall("tap(\"\(text)\")", file, line)
        guard let target = tappables.first(where: { $0.text == text }) else {
            throw missing(step, "nothing to tap says", text, among: tappables.map(\.text))
        }
        try await show(packet(for: target), step)
    }

    /// The packet for a tap.
    func packet(for target: TappablePart) -> JSONObject {
        var packet = makePacket(target.method["function"]?.string ?? "", target.method["parameters"]?.object)
        switch target.kind {
        // A form without an id has no key for its values.
        case .leave(let form) where !form.isEmpty: packet["formdata"] = [form: .object(formValues(form))]
        case .plain where target.method["formdata"]?.bool == true: packet["formdata"] = .object(allValues)
        case .leave, .plain: break
        }
        return packet
    }

    /// Taps a row of a table.
    ///
    /// - Parameters:
    ///   - row: the index of the row, from the top.
    ///   - method: the method of the table; nil for the page's first table.
    public func tapRow(_ row: Int, of method: String? = nil, file: String = #fileID, line: Int = #line) async throws {
        let step = StepCall("tapRow(\(row))", file, line)
        let table = components("table").first { method == nil || $0["data"]?["dynamic"]?.string == method }
        guard let click = table?["clickRow"]?.object, let name = table?["data"]?["dynamic"]?.string else {
            throw failure(step, "the page has no table with tappable rows")
        }
        guard let rows = tables[name]?.rows, rows.indices.contains(row) else {
            throw failure(step, "the table has \(tables[name]?.rows.count ?? 0) rows")
        }
        try await show(packet(for: click, row: rows[row]), step)
    }

    /// The packet for a tap on a row.
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
