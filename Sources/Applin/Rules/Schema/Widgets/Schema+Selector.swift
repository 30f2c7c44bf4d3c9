extension Schema {
    /// What a selector accepts.
    ///
    /// Up to three choices side by side, each with a variable. Not documented; clients know it since 0.28.
    static let selector = Schema(
        "selector",
        keys: [
            .required("var_name", .string),
            .optional("var_name1", .string),
            .optional("var_name2", .string),
            .optional("options", .strings),
            .optional("options1", .strings),
            .optional("options2", .strings),
            .optional("initial_string", .string),
            .optional("initial_string1", .string),
            .optional("initial_string2", .string),
            .optional("label", .string),
            .optional("error", .string),
            .optional("poll_delay_ms", .unsigned),
            .optional("validated", .bool, dialects: [.objects]),
        ]
    )
}
