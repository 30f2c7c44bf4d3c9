extension Schema {
    /// What a checkbox_button accepts.
    ///
    /// It looks like a checkbox and has no variable. Not documented; clients know it since 0.38.
    static let checkboxButton = Schema(
        "checkbox_button",
        dialects: [.objects],
        keys: [
            .optional("actions", .actions),
            .optional("initial_bool", .bool),
            .optional("text", .string),
        ]
    )
}
