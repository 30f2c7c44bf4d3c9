extension Schema {
    /// What a textfield accepts.
    ///
    /// `max_chars`, `min_chars` and `validated` are not documented, but read by clients.
    static let textfield = Schema(
        "textfield",
        keys: [
            .required("var_name", .string),
            .optional("label", .string),
            .optional("error", .string),
            .optional("initial_string", .string),
            .optional("allow", .oneOf(["all", "ascii", "email", "numbers", "tel"])),
            .optional("auto_capitalize", .oneOf(["names", "sentences"])),
            .optional("max_lines", .unsigned),
            .optional("max_chars", .unsigned),
            .optional("min_chars", .unsigned),
            .optional("poll_delay_ms", .unsigned),
            .optional("validated", .bool, dialects: [.objects]),
        ]
    )
}
