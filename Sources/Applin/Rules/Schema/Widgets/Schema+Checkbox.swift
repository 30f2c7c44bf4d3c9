extension Schema {
    /// What a checkbox accepts.
    ///
    /// An empty list of actions disables it; see ``EmptyCheckboxActions``.
    static let checkbox = Schema(
        "checkbox",
        misnomers: ["rpc": "Put an rpc action into \"actions\": clients dropped the key \"rpc\" in 0.25."],
        keys: [
            .required("var_name", .string),
            .optional("text", .string),
            .optional("initial_bool", .bool),
            .optional("actions", .actions),
            .optional("poll_delay_ms", .unsigned),
            .optional("validated", .bool, dialects: [.objects]),
        ]
    )
}
