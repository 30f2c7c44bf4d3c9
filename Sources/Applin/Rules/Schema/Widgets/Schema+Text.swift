extension Schema {
    /// What a text accepts.
    static let text = Schema(
        "text",
        keys: [
            .required("text", .string)
        ]
    )
}
