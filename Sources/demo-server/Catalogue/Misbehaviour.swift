import Applin
import Backlot

/// Whether the user wants to see the pages that do what no backend should do.
///
/// A program that follows links, such as a link checker, never gets there: the buttons that lead there are shown only after
/// an rpc was called, as long as the session lasts.
enum Misbehaviour {
    private enum ShownKey: SessionKey {
        static let name = "misbehaviour"
        typealias Value = Bool
    }

    /// Whether its buttons are shown.
    static func isShown(_ session: Session) -> Bool {
        session[ShownKey.self] ?? false
    }

    /// The button that shows and hides its buttons.
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
