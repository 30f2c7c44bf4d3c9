internal import Backlot
internal import BacklotJSON
internal import DynamicViews

extension DynamicViewsClient {
    /// The taps on the version that lead to the question for the password.
    private static let tapsForPassword = 5
    /// What is switched or chosen instead of tapped.
    private static let inputs: Set<String> = ["toggle", "multiValue", "snabble.switchEnvironment"]
    /// What only holds other widgets.
    private static let groups: Set<String> = ["section", "developerMode"]

    /// Taps a widget, by its text or id. A navigation leads to its view; five taps on the version lead to ``asksForPassword``.
    /// All other taps are sent, those on images and texts too.
    public func tap(_ widget: String, file: String = #fileID, line: Int = #line) async throws {
        let step = "tap(\"\(widget)\")"
        let found = try require(widget, nil, step, file, line)
        guard !Self.inputs.contains(found.type) else {
            throw failure(step, "a \(found.type) isn't tapped: call toggle(…) or choose(…, in: …)", file, line)
        }
        guard !Self.groups.contains(found.type) else {
            throw failure(step, "a \(found.type) can't be tapped: tap one of the widgets inside it", file, line)
        }
        switch found.type {
        case "navigation":
            let resource = found.object["resource"]?.string ?? ""
            let name = resource.hasSuffix(".json") ? String(resource.dropLast(5)) : resource
            guard ViewsApp.isName(name) else {
                throw failure(step, "its resource \(resource.inQuotes) is not the name of a view", file, line)
            }
            return try await push(name, step: step, file, line)
        case "version", "snabble.version":
            versionTaps += 1
            if versionTaps == Self.tapsForPassword { (versionTaps, asksForPassword) = (0, true) }
        default: break
        }
        try await forward(interactionID(of: found), step: step, file, line)
    }

    /// Answers the question for the password of developer mode. With the right one, its items are shown from now on.
    public func enterPassword(_ password: String, file: String = #fileID, line: Int = #line) throws {
        guard asksForPassword else {
            throw failure("enterPassword(…)", "nobody asks for it: tap the version five times", file, line)
        }
        asksForPassword = false
        hasDeveloperMode = hasDeveloperMode || password == configuration.developerPassword
    }

    /// Switches a toggle on or off, by its text or id; without `isOn` to what it isn't.
    public func toggle(
        _ widget: String,
        _ isOn: Bool? = nil,
        file: String = #fileID,
        line: Int = #line
    ) async throws {
        let step = "toggle(\"\(widget)\")"
        let found = try require(widget, ["toggle"], step, file, line)
        let key = found.object["key"]?.string ?? ""
        let value = isOn ?? !(storage[key]?.bool ?? false)
        storage[key] = .bool(value)
        let name = configuration.dialect.platform == .android ? "checked" : key
        try await forward(found.id, userInfo: [name: .bool(value)], step: step, file, line)
    }

    /// Chooses an option, by its text, its id or its id's last component, in a multiValue or switchEnvironment, by its text or id.
    public func choose(
        _ option: String,
        in widget: String,
        file: String = #fileID,
        line: Int = #line
    ) async throws {
        let step = "choose(\"\(option)\")"
        let found = try require(widget, Self.choices, step, file, line)
        let chosen = found.options.first { $0["text"]?.string == option } ?? Self.option(option, of: found)
        guard let id = chosen?["id"]?.string else {
            let texts = found.options.compactMap { $0["text"]?.string }.joined(separator: ", ")
            throw failure(step, "there is no option \"\(option)\"; there are \(texts)", file, line)
        }
        storage[found.id] = .string(id)
        let name = configuration.dialect.platform == .android ? "selection" : "value"
        try await forward(found.id, userInfo: [name: .string(id)], step: step, file, line)
    }

    /// Taps one of the last purchases, by its receipt's id.
    public func tapReceipt(
        _ receipt: String,
        in widget: String? = nil,
        file: String = #fileID,
        line: Int = #line
    ) async throws {
        let step = "tapReceipt(\"\(receipt)\")"
        let found = try purchases(widget, step, file, line)
        try await forward(found.id, userInfo: ["id": .string(receipt)], step: step, file, line)
    }

    /// Asks for more of the last purchases.
    public func tapMore(in widget: String? = nil, file: String = #fileID, line: Int = #line) async throws {
        let found = try purchases(widget, "tapMore()", file, line)
        try await forward(found.id, step: "tapMore()", file, line)
    }

    private func purchases(_ id: String?, _ step: String, _ file: String, _ line: Int) throws -> ShownWidget {
        let type = "snabble.lastPurchases"
        if let id { return try require(id, [type], step, file, line) }
        guard let only = shown.first(where: { $0.type == type }) else {
            throw failure(step, "there are no last purchases", file, line)
        }
        return only
    }

    /// The id that iOS clients send when a widget is tapped: for some widgets it is not the document's.
    private func interactionID(of widget: ShownWidget) -> String {
        guard configuration.dialect.platform == .ios else { return widget.id }
        switch widget.type {
        case "snabble.customerCard": return "Snabble.DynamicView.CustomerCard.information"
        case "snabble.locationPermission":
            return "Snabble.LocationPermission.\(configuration.locationPermission.rawValue)"
        default: return widget.id
        }
    }

    private func require(
        _ name: String,
        _ types: Set<String>?,
        _ step: String,
        _ file: String,
        _ line: Int
    ) throws -> ShownWidget {
        if let found = find(name, types) { return found }
        let names = shown.filter { types?.contains($0.type) ?? true }.flatMap { [$0.text, $0.id].compactMap(\.self) }
        let near = Suggestion.nearest(to: name, among: names).map { "; there is \"\($0)\"" } ?? ""
        throw failure(step, "no widget for it is called \"\(name)\"\(near)", file, line)
    }

    func failure(_ step: String, _ problem: String, _ file: String, _ line: Int) -> StepFailure {
        StepFailure(step: step, problem: problem, screen: screen, place: "\(file):\(line)")
    }
}
