/// What clients accept in one kind of page, widget or action: its keys, and who knows it at all.
///
/// There is one for each kind, in a file of its own: what a checkbox accepts is in Schema+Checkbox.swift.
struct Schema: Sendable {
    /// The name on the wire.
    let typ: String
    /// Every key but `typ`.
    let keys: [SchemaKey]
    /// The dialects whose clients know it; those of the others reject a page that has it.
    var dialects: [Dialect] = Dialect.allCases
    /// For an action whose string form has something after a colon: the key that holds it in the object form.
    var argument: String?
    /// Keys that people write although no client reads them, each with what to do about it.
    var misnomers: [String: String] = [:]

    init(
        _ typ: String,
        dialects: [Dialect] = Dialect.allCases,
        argument: String? = nil,
        misnomers: [String: String] = [:],
        keys: [SchemaKey] = []
    ) {
        self.typ = typ
        self.keys = keys
        self.dialects = dialects
        self.argument = argument
        self.misnomers = misnomers
    }

    func key(_ name: String) -> SchemaKey? {
        keys.first { $0.name == name }
    }
}
