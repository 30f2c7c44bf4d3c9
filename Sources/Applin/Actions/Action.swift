import BacklotJSON

/// Something that the client does when a person taps a widget, or a step of it.
///
/// Actions run in the order in which they stand; when one fails, those after it don't run.
///
/// Source: Applin documentation, Actions.
public protocol Action: Sendable {
    /// The action's name on the wire, such as `replace_all`.
    var typ: String { get }

    /// What the action works on, such as a page; nil when there is nothing to say.
    var argument: String? { get }
}

extension Action {
    /// Most actions that need no argument leave this out.
    public var argument: String? { nil }
}

extension JSONWriter {
    /// Writes a field that holds actions. This is the one place that knows what actions look like on the wire: as strings,
    /// `"push:/terms"` or `"pop"` (Applin documentation, Frontend-Backend Protocol, Example Exchange).
    mutating func field(_ key: String, _ actions: [any Action]) {
        array(key) { writer in
            for index in actions.indices {  // `for action in actions` would retain and release each of them
                if let argument = actions[index].argument {
                    writer.value(actions[index].typ, colon: argument)
                } else {
                    writer.value(actions[index].typ)
                }
            }
        }
    }
}
