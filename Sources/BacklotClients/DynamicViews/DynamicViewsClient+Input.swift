internal import Backlot
internal import DynamicViews

extension DynamicViewsClient {
    /// The number of taps on the version that open the password dialog.
    private static let tapsForPassword = 5
    /// The types of widgets that are switched or chosen instead of tapped.
    private static let inputs: Set<String> = ["toggle", "multiValue", "snabble.switchEnvironment"]
    /// The types of widgets that only contain other widgets.
    private static let groups: Set<String> = ["section", "developerMode"]

    /// Taps a widget, chosen by its text or id. A navigation opens its view; five taps on the version open the password dialog,
    /// see ``asksForPassword``. The client sends all other taps, even on images and texts.
    public func tap(_ widget: String, file: String = #fileID, line: Int = #line) async throws {
        let step = StepCall("tap(\"\(widget)\")", file, line)
        let found = try require(widget, nil, step)
        guard !Self.inputs.contains(found.type) else {
            throw failure(step, "a \(found.type) isn't tapped: call toggle(…) or choose(…, from: …)")
        }
        guard !Self.groups.contains(found.type) else {
            throw failure(step, "a \(found.type) can't be tapped: tap one of the widgets inside it")
        }
        switch found.type {
        case "navigation":
            let resource = found.object["resource"]?.string ?? ""
            let name = resource.hasSuffix(".json") ? String(resource.dropLast(5)) : resource
            guard DynamicViewsApp.isName(name) else {
                throw failure(step, "its resource \(resource.inQuotes) is not the name of a view")
            }
            return try await push(name, step)
        case "version", "snabble.version":
            versionTaps += 1
            if versionTaps == Self.tapsForPassword { (versionTaps, asksForPassword) = (0, true) }
        default: break
        }
        try await forward(interactionID(of: found), step)
    }

    /// Enters the password of developer mode into the dialog. The right password shows the items of developer mode from now on.
    public func enterPassword(_ password: String, file: String = #fileID, line: Int = #line) throws {
        guard asksForPassword else {
            throw failure(StepCall("enterPassword(…)", file, line), "nobody asks for it: tap the version five times")
        }
        asksForPassword = false
        hasDeveloperMode = hasDeveloperMode || password == configuration.developerPassword
    }

    /// Switches a toggle, chosen by its text or id, on or off. Without `isOn`, the toggle changes its state.
    public func toggle(
        _ widget: String,
        _ isOn: Bool? = nil,
        file: String = #fileID,
        line: Int = #line
    ) async throws {
        let step = StepCall("toggle(\"\(widget)\")", file, line)
        let found = try require(widget, ["toggle"], step)
        let key = found.object["key"]?.string ?? ""
        let value = isOn ?? !(storage[key]?.bool ?? false)
        storage[key] = .bool(value)
        let name = configuration.dialect.platform == .android ? "checked" : key
        try await forward(found.id, userInfo: [name: .bool(value)], step)
    }

    /// Chooses an option of a multiValue or switchEnvironment, which is named by its text or id. The option is named by its text,
    /// its id, or the last component of its id.
    public func choose(
        _ option: String,
        from widget: String,
        file: String = #fileID,
        line: Int = #line
    ) async throws {
        let step = StepCall("choose(\"\(option)\")", file, line)
        let found = try require(widget, Self.choices, step)
        let chosen = found.options.first { $0["text"]?.string == option } ?? Self.option(option, of: found)
        guard let id = chosen?["id"]?.string else {
            let texts = found.options.compactMap { $0["text"]?.string }.joined(separator: ", ")
            throw failure(step, "unknown option \"\(option)\"; the options are \(texts)")
        }
        storage[found.id] = .string(id)
        let name = configuration.dialect.platform == .android ? "selection" : "value"
        try await forward(found.id, userInfo: [name: .string(id)], step)
    }

    /// Taps one of the last purchases, chosen by its receipt's id.
    public func tapReceipt(
        _ receipt: String,
        in widget: String? = nil,
        file: String = #fileID,
        line: Int = #line
    ) async throws {
        let step = StepCall("tapReceipt(\"\(receipt)\")", file, line)
        let found = try purchases(widget, step)
        try await forward(found.id, userInfo: ["id": .string(receipt)], step)
    }

    /// Requests more of the last purchases.
    public func tapMore(in widget: String? = nil, file: String = #fileID, line: Int = #line) async throws {
        let step = StepCall("tapMore()", file, line)
        try await forward(purchases(widget, step).id, step)
    }

    private func purchases(_ id: String?, _ step: StepCall) throws -> ShownWidget {
        let type = "snabble.lastPurchases"
        if let id { return try require(id, [type], step) }
        guard let only = shown.first(where: { $0.type == type }) else {
            throw failure(step, "the screen has no last purchases")
        }
        return only
    }

    /// The id that iOS clients send for a tap on a widget. For some widgets it differs from the document's id.
    private func interactionID(of widget: ShownWidget) -> String {
        guard configuration.dialect.platform == .ios else { return widget.id }
        switch widget.type {
        case "snabble.customerCard": return "Snabble.DynamicView.CustomerCard.information"
        case "snabble.locationPermission":
            return "Snabble.LocationPermission.\(configuration.locationPermission.rawValue)"
        default: return widget.id
        }
    }

    private func require(_ name: String, _ types: Set<String>?, _ step: StepCall) throws -> ShownWidget {
        if let found = find(name, types) { return found }
        let names = shown.filter { types?.contains($0.type) ?? true }.flatMap { [$0.text, $0.id].compactMap(\.self) }
        throw missing(step, "no widget for it is called", name, among: names)
    }
}
