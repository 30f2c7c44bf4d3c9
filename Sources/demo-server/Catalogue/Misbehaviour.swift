import Applin
import Backlot

/// The user's choice to see the pages that show a backend's mistakes.
///
/// A program that follows links, such as a link checker, never reaches these pages: the session shows the buttons to them only
/// after an rpc.
enum Misbehaviour {
    private enum ShownKey: SessionKey {
        static let name = "misbehaviour"
        typealias Value = Bool
    }

    /// Whether the buttons to these pages are shown.
    static func isShown(_ session: Session) -> Bool {
        session[ShownKey.self] ?? false
    }

    /// The button that shows or hides the buttons to these pages.
    static func toggle(_ isShown: Bool) -> NavButton {
        navButton(isShown ? "Hide the pages that misbehave" : "Show the pages that misbehave") {
            rpc(isShown ? "/misbehaviour/hide" : "/misbehaviour/show")
            poll()
        }
    }

    static func register(on app: ApplinApp) {
        app.rpc("/misbehaviour/show") { try await $0.session.update(ShownKey.self) { $0 = true } }
        app.rpc("/misbehaviour/hide") { try await $0.session.update(ShownKey.self) { $0 = false } }
    }
}
