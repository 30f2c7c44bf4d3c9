extension Schema {
    /// What a push accepts.
    static let push = Schema(
        "push",
        argument: "page",
        keys: [
            .required("page", .string)
        ]
    )
}
