internal import Backlot

/// A step of a headless client: something a person does.
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
    /// Drops the cookies, as after an expired session.
    case forgetCookies
    case wait(Duration)

    /// Whether the step only fills in a form.
    package var isEntry: Bool {
        switch self {
        case .check, .uncheck, .enter, .choose: true
        default: false
        }
    }

    /// The call in a test that does the step: `tap("Create Account")`.
    package var call: String {
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
        case .forgetCookies: "forgetCookies()"
        case .wait(let duration):
            duration.milliseconds % 1000 == 0
                ? "wait(.seconds(\(duration.milliseconds / 1000)))" : "wait(.milliseconds(\(duration.milliseconds)))"
        }
    }

    /// Returns the step with its texts replaced.
    package func mapTexts(_ map: (String) -> String) -> ClientStep {
        switch self {
        case .enter(let text, let field, let variable): .enter(map(text), into: field, variable: variable)
        case .tap(let label, let number): .tap(map(label), number: number)
        case .choose(let option, let selector): .choose(map(option), from: selector)
        default: self
        }
    }
}

extension String {
    /// The text as a Swift literal, with a long repetition at its end shortened: `"ab" + String(repeating: "x", count: 190)`.
    package var shortLiteral: String {
        guard count > 60, let last else { return swiftLiteral }
        let start = reversed().prefix { $0 == last }.count
        guard start > 40 else { return swiftLiteral }
        let beginning = String(dropLast(start))
        let repeated = "String(repeating: \(String(last).swiftLiteral), count: \(start))"
        return beginning.isEmpty ? repeated : "\(beginning.swiftLiteral) + \(repeated)"
    }
}
