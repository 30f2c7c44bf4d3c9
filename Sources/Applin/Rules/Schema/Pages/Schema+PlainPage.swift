extension Schema {
    /// What a plain_page accepts.
    static let plainPage = Schema(
        "plain_page",
        keys: [
            .optional("title", .string),
            .required("widget", .widget),
            .optional("poll_seconds", .unsigned),
            .optional("ephemeral", .bool),
        ]
    )
}
