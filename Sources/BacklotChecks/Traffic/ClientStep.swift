internal import Backlot
internal import BacklotClients
internal import BacklotHTTP
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

    /// The call that does the step in a test: `tap("Create Account")`.
    var call: String {
        switch self {
        case .launch(nil): "launch()"
        case .launch(let path?): "launch(at: \(path.swiftLiteral))"
        case .open(let path): "open(at: \(path.swiftLiteral))"
        case .relaunch(let keepsStack): keepsStack ? "relaunch()" : "relaunch(keepsStack: false)"
        case .tap(let label, nil): "tap(\(label.swiftLiteral))"
        case .tap(let label, let number?): "tap(\(label.swiftLiteral), number: \(number))"
        case .back: "back()"
        case .pullToRefresh: "pullToRefresh()"
        case .check(let label): "check(\(label.swiftLiteral))"
        case .uncheck(let label): "uncheck(\(label.swiftLiteral))"
        case .enter(let text, let field, _): "enter(\(text.shortLiteral), into: \(field.swiftLiteral))"
        case .choose(let option, let selector): "choose(\(option.swiftLiteral), from: \(selector.swiftLiteral))"
        case .uploadPhoto: "uploadPhoto()"
        case .cancelPhoto: "cancelPhoto()"
        case .wait(let duration):
            duration.milliseconds % 1000 == 0
                ? "wait(.seconds(\(duration.milliseconds / 1000)))" : "wait(.milliseconds(\(duration.milliseconds)))"
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
        return offers().map(\.step) + (canGoBack ? [.back] : [])
    }

    /// What can be tapped on the visible page, its back button aside, with the actions.
    ///
    /// - Parameter limit: how many widgets are looked at.
    func offers(upTo limit: Int = .max) -> [(step: ClientStep, actions: [PageAction])] {
        guard let page = touchable else { return [] }
        let tappable = page.widgets.prefix(limit).filter { Self.tappable.contains($0.typ) }
        var counts: [String: Int] = [:]
        for widget in tappable { counts[widget.label ?? "", default: 0] += 1 }
        var numbers: [String: Int] = [:]
        var offers: [(step: ClientStep, actions: [PageAction])] = []
        for widget in tappable {
            guard let label = widget.label else { continue }
            numbers[label, default: 0] += 1
            guard !widget.actions.isEmpty else { continue }
            if widget.typ == "checkbox", let input = widget.inputs.first {
                let name = counts[label] == 1 && !label.isEmpty ? label : input.name
                offers.append((sentValue(of: input).bool == true ? .uncheck(name) : .check(name), widget.actions))
            } else if !label.isEmpty {
                offers.append((.tap(label, number: counts[label] == 1 ? nil : numbers[label]), widget.actions))
            }
        }
        return offers
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

extension String {
    /// The text as a Swift literal, without what is repeated at its end: `"ab" + String(repeating: "x", count: 190)`.
    var shortLiteral: String {
        guard count > 60, let last else { return swiftLiteral }
        let start = reversed().prefix { $0 == last }.count
        guard start > 40 else { return swiftLiteral }
        let beginning = String(dropLast(start))
        let repeated = "String(repeating: \(String(last).swiftLiteral), count: \(start))"
        return beginning.isEmpty ? repeated : "\(beginning.swiftLiteral) + \(repeated)"
    }
}
