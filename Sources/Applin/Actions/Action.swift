public import BacklotJSON

/// Something that the client does when a person taps a widget, or a step of it.
///
/// Actions run in the order in which they stand; when one fails, those after it don't run.
///
/// Source: Applin documentation, Actions.
public protocol Action: ActionListPart, Sendable {
    /// The action's name on the wire, such as `replace_all`.
    var typ: StaticString { get }

    /// What follows the name and a colon where actions are strings; nil when there is nothing to say.
    var argument: String? { get }

    /// Whether the action can be a string. One that can't is written as an object in either dialect, and validation says
    /// that clients of the documented dialect reject it.
    var hasStringForm: Bool { get }

    /// Whether the page is polled when this action fails because the backend refused the input (403 or 422).
    var pollsOnUserError: Bool { get }

    /// Writes the action where actions are strings: `"push:/terms"` or `"pop"`.
    func encodeString(into writer: inout JSONWriter)

    /// Writes the fields after `typ` where actions are objects.
    func encodeFields(into writer: inout JSONWriter)
}

extension Action {
    /// Most actions that need no argument leave this out.
    public var argument: String? { nil }

    /// Most actions can.
    public var hasStringForm: Bool { true }

    /// Only an rpc can.
    public var pollsOnUserError: Bool { false }

    /// Made of `typ` and `argument`; an action that can't be a string is written as an object.
    public func encodeString(into writer: inout JSONWriter) {
        if !hasStringForm {
            writer.object(typ: typ) { encodeFields(into: &$0) }
        } else if let argument {
            writer.value(literal: typ, colon: argument)
        } else {
            writer.value(literal: typ)
        }
        if pollsOnUserError { OnUserErrorPoll().encodeString(into: &writer) }
    }

    /// Most actions that need no argument leave this out.
    public func encodeFields(into writer: inout JSONWriter) {}
}
