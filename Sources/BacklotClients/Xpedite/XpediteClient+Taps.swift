internal import Backlot
internal import BacklotJSON

/// Something that can be tapped.
struct Tappable {
    enum Kind: Equatable {
        case plain
        /// Sends the values of the form with it.
        case save(form: String)
    }

    let text: String
    let method: JSONObject
    var kind = Kind.plain
}

extension XpediteClient {
    /// All that can be tapped, from top to bottom, menus last.
    var tappables: [Tappable] {
        var found: [Tappable] = []
        for component in components {
            switch component["type"]?.string {
            case "button":
                guard let method = component["method"]?.object else { continue }
                let text = component["text"]?.string ?? component["icon"]?.string ?? ""
                found.append(Tappable(text: text, method: method))
            case "form":
                if let method = component["save"]?.object {
                    let text = component["saveNavigation"]?.string ?? "Save"
                    let form = component["id"]?.string ?? ""
                    found.append(Tappable(text: text, method: method, kind: .save(form: form)))
                }
                if let method = component["cancel"]?.object {
                    let text = component["cancelNavigation"]?.string ?? "Cancel"
                    found.append(Tappable(text: text, method: method))
                }
            default: break
            }
        }
        for menu in menus {
            let entries = (menu["components"]?.array ?? []).compactMap(\.object)
            for entry in entries {
                guard let method = entry["method"]?.object else { continue }
                let text = entry["text"]?.string ?? menu["implementation"]?["icon"]?.string ?? ""
                found.append(Tappable(text: text, method: method))
            }
        }
        return found
    }

    /// Taps a button, an entry of a menu, or the button that saves or cancels a form, by its text; one without a text by its
    /// icon.
    public func tap(_ text: String, file: String = #fileID, line: Int = #line) async throws {
        let step = "tap(\"\(text)\")"
        guard let target = tappables.first(where: { $0.text == text }) else {
            let near = Suggestion.nearest(to: text, among: tappables.map(\.text))
            let hint = near.map { "; there is \"\($0)\"" } ?? ""
            throw failure(step, "nothing to tap says \"\(text)\"\(hint)", file, line)
        }
        var packet = makePacket(target.method["function"]?.string ?? "", target.method["parameters"]?.object)
        switch target.kind {
        case .save(let form): packet["formdata"] = [form: .object(values[form] ?? [:])]
        case .plain where target.method["formdata"]?.bool == true: packet["formdata"] = .object(allValues)
        case .plain: break
        }
        try await show(packet, step: step, place: "\(file):\(line)")
    }

    /// Taps a row of a table, by its place from the top; nil for the only table on the page.
    public func tapRow(_ row: Int, of method: String? = nil, file: String = #fileID, line: Int = #line) async throws {
        let step = "tapRow(\(row))"
        let table = components("table").first { method == nil || $0["data"]?["dynamic"]?.string == method }
        guard let click = table?["clickRow"]?.object, let name = table?["data"]?["dynamic"]?.string else {
            throw failure(step, "there is no table whose rows can be tapped", file, line)
        }
        guard let rows = tables[name]?.rows, rows.indices.contains(row) else {
            throw failure(step, "the table has \(tables[name]?.rows.count ?? 0) rows", file, line)
        }
        var packet = makePacket(click["function"]?.string ?? "", click["parameters"]?.object)
        if let field = click["selected"]?.string, let value = rows[row][field] {
            var parameters = packet["parameters"]?.object ?? [:]
            switch configuration.selection {
            case .parametersField: parameters[field] = value
            case .topLevelField: packet[field] = value
            case .selected: packet["selected"] = value
            case .parametersSelected: parameters["selected"] = value
            }
            if parameters.count > 0 { packet["parameters"] = .object(parameters) }
        }
        try await show(packet, step: step, place: "\(file):\(line)")
    }

    func failure(_ step: String, _ problem: String, _ file: String, _ line: Int) -> StepFailure {
        StepFailure(step: step, problem: problem, screen: screen, place: "\(file):\(line)")
    }
}
