internal import BacklotClients
internal import BacklotJSON

/// A step of a test, as a person would do it.
package enum ClientStep: Equatable, Sendable {
    case launch(String?)
    case open(String)
    case relaunch(keepsStack: Bool)
    case tap(String, number: Int? = nil)
    case back
    case pullToRefresh
    case check(String)
    case uncheck(String)
    case enter(String, into: String, variable: String)
    case choose(String, from: String)
    case uploadPhoto
    case cancelPhoto
    case wait(Duration)

    /// Whether it only fills in a form.
    var isEntry: Bool {
        switch self {
        case .check, .uncheck, .enter, .choose: true
        default: false
        }
    }

    /// Does the step.
    ///
    /// - Throws: `StepFailure` where that isn't possible on the screen.
    func perform(on app: ApplinClient) async throws {
        switch self {
        case .launch(nil): try await app.launch()
        case .launch(let path?): try await app.launch(at: path)
        case .open(let path): try await app.open(at: path)
        case .relaunch(let keepsStack): try await app.relaunch(keepsStack: keepsStack)
        case .tap(let label, let number): try await app.tap(label, number: number)
        case .back: try await app.back()
        case .pullToRefresh: try await app.pullToRefresh()
        case .check(let label): try await app.check(label)
        case .uncheck(let label): try await app.uncheck(label)
        case .enter(let text, let field, _): try await app.enter(text, into: field)
        case .choose(let option, let selector): try await app.choose(option, from: selector)
        case .uploadPhoto: try await app.uploadPhoto()
        case .cancelPhoto: try await app.cancelPhoto()
        case .wait(let duration): try await app.wait(duration)
        }
    }
}

extension ApplinClient {
    /// The steps that a person can do on this screen with one finger.
    var choices: [ClientStep] {
        if let modal { return modal.buttons.map { .tap($0) } }
        if asksForPhoto { return [.uploadPhoto, .cancelPhoto] }
        guard let page = touchable else { return [] }
        let tappable = page.widgets.filter { Self.tappable.contains($0.typ) }
        var counts: [String: Int] = [:]
        for widget in tappable { counts[widget.label ?? "", default: 0] += 1 }
        var numbers: [String: Int] = [:]
        var steps: [ClientStep] = []
        for widget in tappable {
            guard let label = widget.label else { continue }
            numbers[label, default: 0] += 1
            guard !widget.actions.isEmpty else { continue }
            if widget.typ == "checkbox", let input = widget.inputs.first {
                let name = counts[label] == 1 && !label.isEmpty ? label : input.name
                steps.append(sentValue(of: input).bool == true ? .uncheck(name) : .check(name))
            } else if !label.isEmpty {
                steps.append(.tap(label, number: counts[label] == 1 ? nil : numbers[label]))
            }
        }
        if canGoBack { steps.append(.back) }
        return steps
    }

    /// The entries after which the visible page sends these variables.
    func entries(for variables: JSONObject) -> [ClientStep] {
        guard let page = touchable else { return [] }
        var labels: [String: Int] = [:]
        for widget in page.widgets where !widget.inputs.isEmpty {
            labels["\(widget.typ) \(widget.label ?? "")", default: 0] += 1
        }
        return page.widgets.flatMap { widget -> [ClientStep] in
            // A tap on such a checkbox is a step by itself.
            if widget.typ == "checkbox", !widget.actions.isEmpty { return [] }
            return widget.inputs.enumerated().compactMap { column, input in
                guard let wanted = variables.value(ofVariable: input.name), wanted != sentValue(of: input) else {
                    return nil
                }
                let label = widget.label ?? ""
                let isOnly = labels["\(widget.typ) \(label)"] == 1 && !label.isEmpty
                let name = isOnly && widget.inputs.count == 1 ? label : input.name
                switch (widget.typ, wanted) {
                case ("textfield", .string(let text)): return .enter(text, into: name, variable: input.name)
                case ("checkbox", .bool(let isOn)): return isOn ? .check(name) : .uncheck(name)
                case ("selector", .string(let option)):
                    guard widget.columns.indices.contains(column), widget.columns[column].contains(option) else {
                        return nil
                    }
                    return .choose(option, from: name)
                default: return nil
                }
            }
        }
    }
}

extension JSONObject {
    /// What was sent for a variable: `name#key` is an entry of an object in newer clients.
    fileprivate func value(ofVariable name: String) -> JSONValue? {
        if let value = self[name] { return value }
        guard let mark = name.firstIndex(of: "#") else { return nil }
        return self[String(name[..<mark])]?[String(name[name.index(after: mark)...])]
    }
}
