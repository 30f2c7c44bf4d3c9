extension Schema {
    /// What a form_section accepts.
    static let formSection = Schema(
        "form_section",
        keys: [
            .optional("title", .string),
            .required("widgets", .widgets),
        ]
    )
}
