extension Schema {
    /// What a nav_page accepts.
    ///
    /// `start` may only be a back_button or empty; see ``StartWidget``.
    static let navPage = Schema(
        "nav_page",
        keys: [
            .required("title", .string),
            .required("widget", .widget),
            .optional("start", .widget),
            .optional("end", .widget),
            .optional("poll_seconds", .unsigned),
            .optional("stream", .bool),
            .optional("ephemeral", .bool),
        ]
    )
}
