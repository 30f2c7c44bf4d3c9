extension Schema {
    /// What an rpc accepts.
    static let rpc = Schema(
        "rpc",
        argument: "url",
        keys: [
            .required("url", .string),
            .optional("on_user_error_poll", .bool),
        ]
    )
}
