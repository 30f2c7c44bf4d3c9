extension Schema {
    /// What a nav_button accepts.
    static let navButton = Schema(
        "nav_button",
        keys: [
            .required("text", .string),
            .recommended("actions", .actions, otherwise: "[]"),
            .optional("sub_text", .string),
            .optional("badge_text", .string),
            .optional("photo_url", .string),
        ]
    )
}
