public import Backlot

/// A step that the client takes when a person taps a widget.
///
/// Actions run in order. If one fails, the actions after it don't run.
///
/// Source: Applin documentation, Actions.
public protocol Action: ActionListPart, Sendable {
    /// The action's name on the wire, such as `replace_all`.
    var typ: StaticString { get }

    /// The text after the name and a colon in the string form; nil for an action without an argument.
    var argument: String? { get }

    /// Whether the action can be a string. Other actions are objects in both dialects, and validation reports that clients of the
    /// documented dialect reject them.
    var hasStringForm: Bool { get }

    /// Whether the client polls the page when this action fails because the backend refused the input (403 or 422).
    var pollsOnUserError: Bool { get }

    /// Writes the action as a string: `"push:/terms"` or `"pop"`.
    func encodeString(into writer: inout JSONWriter)

    /// Writes the fields after `typ`, if actions are objects.
    func encodeFields(into writer: inout JSONWriter)
}

extension Action {
    /// nil, because many actions don't have an argument.
    public var argument: String? { nil }

    /// True, because most actions can be strings.
    public var hasStringForm: Bool { true }

    /// False: only an rpc can poll.
    public var pollsOnUserError: Bool { false }

    /// Writes `typ` and `argument`; an action that can't be a string is written as an object.
    public func encodeString(into writer: inout JSONWriter) {
        if !hasStringForm {
            writer.object(startingWith: "typ", typ) { encodeFields(into: &$0) }
        } else if let argument {
            writer.value(literal: typ, colon: argument)
        } else {
            writer.value(literal: typ)
        }
        if pollsOnUserError { OnUserErrorPoll().encodeString(into: &writer) }
    }

    /// Writes nothing, because many actions don't have an argument.
    public func encodeFields(into writer: inout JSONWriter) {}
}

extension KeyedObject where Self: Action {
    package var wireName: StaticString { typ }
    package static var roles: [Role] { [.action] }
}

extension KeyVisitor where Self: ~Copyable {
    /// A key with actions; nil leaves it out.
    @inline(__always)
    mutating func callAsFunction(_ name: StaticString, _ actions: [any Action]?) -> KeyDeclaration {
        self(name, .objects(.action)) {
            guard let actions else { return }
            $0.array($1) {
                switch $0.dialect {
                case .documented: $0.strings(actions)
                case .objects: $0.objects(actions)
                }
            }
        }
    }
}

/// The only code that knows the form of action lists on the wire.
extension JSONWriter {
    /// The actions, with those that the client doesn't understand replaced by their fallbacks. A fallback has the id of the whole.
    private func chosen(among actions: [any Action]) -> [any Action] {
        actions.flatMap { action -> [any Action] in
            if let named = action as? ActionWithID {
                return chosen(among: [named.action]).map { ActionWithID(action: $0.withoutID, id: named.id) }
            }
            guard let action = action as? ActionWithFallback else { return [action] }
            return chosen(among: action.actions(for: client))
        }
    }

    /// `"push:/terms"` or `"pop"`.
    fileprivate mutating func strings(_ actions: [any Action]) {
        for index in actions.indices {  // `for action in actions` would retain and release each of them
            actions[index].encodeString(into: &self)
        }
    }

    /// `{"typ":"push","page":"/terms"}` or `{"typ":"pop"}`. In this form, `on_user_error_poll` is a flag of each rpc instead of an
    /// action.
    fileprivate mutating func objects(_ actions: [any Action]) {
        let hasWrapped = actions.holds(ActionWithFallback.self) || actions.holds(ActionWithID.self)
        let actions = hasWrapped ? chosen(among: actions) : actions
        let bare = hasWrapped ? actions.map { $0.withoutID } : actions
        let isFolded = bare.holds(OnUserErrorPoll.self) && bare.holds(RPC.self)
        let written = isFolded ? actions.compactMap { $0.folded } : actions
        for action in written { object(action) }
    }

    private mutating func object(_ action: any Action) {
        object(startingWith: "typ", action.typ) { action.encodeFields(into: &$0) }
    }
}

extension Action {
    fileprivate var withoutID: any Action { (self as? ActionWithID)?.action ?? self }

    /// The action in a list with `on_user_error_poll`: an rpc has the flag, and `on_user_error_poll` itself is nil.
    fileprivate var folded: (any Action)? {
        if let named = self as? ActionWithID {
            return named.action.folded.map { ActionWithID(action: $0, id: named.id) }
        }
        if self is OnUserErrorPoll { return nil }
        guard let rpc = self as? RPC else { return self }
        return RPC(url: rpc.url, onUserErrorPoll: true)
    }
}

extension [any Action] {
    /// Creates the list of a button's actions. One or two actions, as most buttons have, need one allocation; longer lists need
    /// two.
    @inline(__always)
    init(_ first: any Action, _ second: (any Action)?, _ more: [any Action]) {
        guard let second else {
            self = [first]
            return
        }
        self = more.isEmpty ? [first, second] : [first, second] + more
    }

    /// Whether an action is of a type. `is` would look conformances up: 400 instructions for each action.
    fileprivate func holds(_ type: any Action.Type) -> Bool {
        for index in indices where Swift.type(of: self[index]) == type { return true }
        return false
    }
}
