extension Schema {
    /// What a scroll accepts.
    static let scroll = Schema(
        "scroll",
        keys: [
            .required("widget", .widget),
            .optional("pull_to_refresh", .bool),
        ]
    )
}
