extension Schema {
    /// What an error_text accepts.
    static let errorText = Schema(
        "error_text",
        keys: [
            .required("text", .string)
        ]
    )
}
