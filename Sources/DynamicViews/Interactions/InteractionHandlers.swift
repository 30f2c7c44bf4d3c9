import Backlot

/// What is done on the interactions with a view.
struct InteractionHandlers: Sendable {
    typealias Function = @Sendable (Interaction, Request) async throws -> Void

    private struct Key: Hashable {
        let kind: Interaction.Kind
        let id: String
    }

    private var functions: [Key: Function] = [:]
    /// What is done with all others.
    var others: Function?

    /// Adds a handler.
    ///
    /// - Returns: whether it is the only one.
    mutating func add(_ kind: Interaction.Kind, _ id: String, _ function: @escaping Function) -> Bool {
        functions.updateValue(function, forKey: Key(kind: kind, id: id)) == nil
    }

    /// What is to be done on an interaction; nil for nothing.
    func function(for interaction: Interaction) -> Function? {
        functions[Key(kind: interaction.kind, id: interaction.widgetID)] ?? others
    }

    /// The kinds of interactions with a widget that are handled.
    func kinds(of id: String) -> [Interaction.Kind] {
        Interaction.Kind.allCases.filter { functions[Key(kind: $0, id: id)] != nil }
    }
}
