import BacklotJSON

/// The one place that knows what lists of actions look like on the wire.
extension JSONWriter {
    /// Writes a field that holds actions.
    mutating func field(_ key: StaticString, _ actions: [any Action]) {
        switch dialect {
        case .documented: strings(key, actions)
        case .objects: objects(key, actions)
        }
    }

    /// `"push:/terms"` or `"pop"`.
    private mutating func strings(_ key: StaticString, _ actions: [any Action]) {
        array(key) { writer in
            for index in actions.indices {  // `for action in actions` would retain and release each of them
                actions[index].encodeString(into: &writer)
            }
        }
    }

    /// `{"typ":"push","page":"/terms"}` or `{"typ":"pop"}`. Here `on_user_error_poll` is no action but a flag of each rpc.
    private mutating func objects(_ key: StaticString, _ actions: [any Action]) {
        let hasRPC = actions.contains { $0 is RPC }
        let isFolded = hasRPC && actions.contains { $0 is OnUserErrorPoll }
        array(key) { writer in
            for action in actions {
                if isFolded, action is OnUserErrorPoll { continue }
                if isFolded, let rpc = action as? RPC {
                    writer.object(RPC(url: rpc.url, onUserErrorPoll: true))
                } else {
                    writer.object(action)
                }
            }
        }
    }

    private mutating func object(_ action: any Action) {
        object(typ: action.typ) { action.encodeFields(into: &$0) }
    }
}
