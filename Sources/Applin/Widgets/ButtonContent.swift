/// The actions of a button, and the details that few buttons have.
///
/// The struct takes one machine word. A button with its text then takes three words, which `any Widget` stores inline.
struct ButtonContent<Details: Sendable>: Sendable {
    private enum Form {
        case plain([any Action])
        case detailed(Detailed)
    }

    private final class Detailed: Sendable {
        let actions: [any Action]
        let details: Details

        init(_ actions: [any Action], _ details: Details) {
            self.actions = actions
            self.details = details
        }
    }

    private var form: Form

    init(_ actions: [any Action]) {
        form = .plain(actions)
    }

    var actions: [any Action] {
        switch form {
        case .plain(let actions): actions
        case .detailed(let content): content.actions
        }
    }

    /// The button's details; nil for most buttons.
    var details: Details? {
        get {
            switch form {
            case .plain: nil
            case .detailed(let content): content.details
            }
        }
        set { form = newValue.map { .detailed(Detailed(actions, $0)) } ?? .plain(actions) }
    }
}
