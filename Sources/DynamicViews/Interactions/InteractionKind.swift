import Backlot

/// A kind of interaction that ``View/on(_:_:file:line:_:)`` adds handlers for, with the value for the handlers.
public struct InteractionKind<Value: Sendable>: Sendable {
    let kind: Interaction.Kind
    /// The value in an interaction; nil for one of another kind.
    let value: @Sendable (Interaction) -> Value?

    /// A handler of all interactions, made from one for this kind.
    func function(
        _ handler: @escaping @Sendable (Value, Request) async throws -> Void
    ) -> InteractionHandlers.Function {
        { [value] interaction, request in
            guard let value = value(interaction) else { return }
            try await handler(value, request)
        }
    }
}

extension InteractionKind<Interaction> {
    /// A tap on a widget, with all values that the client sent.
    public static var tap: InteractionKind { InteractionKind(kind: .tap) { $0 } }
}

extension InteractionKind<Bool> {
    /// A toggle that is switched, with whether it is on now.
    public static var toggle: InteractionKind {
        InteractionKind(kind: .toggle) { if case .toggle(let isOn) = $0.event { isOn } else { nil } }
    }
}

extension InteractionKind<String> {
    /// A choice in a multiValue, with the option's id.
    public static var choice: InteractionKind {
        InteractionKind(kind: .choice) { if case .choice(let option) = $0.event { option } else { nil } }
    }

    /// A tap on one of the last purchases, with the id of its receipt.
    public static var receipt: InteractionKind {
        InteractionKind(kind: .receipt) { if case .receipt(let receipt) = $0.event { receipt } else { nil } }
    }
}

extension InteractionKind<Void> {
    /// A tap on the button of the last purchases that shows more of them.
    public static var more: InteractionKind { InteractionKind(kind: .more) { _ in () } }
}

/// The handlers of the interactions with a view.
struct InteractionHandlers: Sendable {
    typealias Function = @Sendable (Interaction, Request) async throws -> Void

    /// The interactions of one kind with a widget.
    struct Key: Hashable {
        let kind: Interaction.Kind
        let id: String
    }

    private var functions: [Key: (function: Function, source: CodeLocation)] = [:]
    /// The handler of interactions without another one.
    var others: Function?

    /// Adds a handler.
    ///
    /// - Returns: whether the widget had no handler for this kind of interaction before.
    mutating func add(
        _ kind: Interaction.Kind,
        _ id: String,
        _ source: CodeLocation,
        _ function: @escaping Function
    ) -> Bool {
        functions.updateValue((function, source), forKey: Key(kind: kind, id: id)) == nil
    }

    /// The interactions with handlers, in the order of the code.
    var sources: [(key: Key, source: CodeLocation)] {
        functions.map { ($0.key, $0.value.source) }
            .sorted { ($0.source.file, $0.source.line, $0.key.id) < ($1.source.file, $1.source.line, $1.key.id) }
    }

    /// The handler of an interaction; nil without one.
    func function(for interaction: Interaction) -> Function? {
        functions[Key(kind: interaction.kind, id: interaction.widgetID)]?.function ?? others
    }

    /// The kinds of interactions with a widget that have handlers.
    func kinds(of id: String) -> [Interaction.Kind] {
        Interaction.Kind.allCases.filter { functions[Key(kind: $0, id: id)] != nil }
    }
}
