extension Schema {
    /// What a copy_to_clipboard accepts.
    static let copyToClipboard = Schema(
        "copy_to_clipboard",
        argument: "string_value",
        keys: [
            .required("string_value", .string)
        ]
    )
}
