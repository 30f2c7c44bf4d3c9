extension Schema {
    /// What a replace_all accepts.
    static let replaceAll = Schema(
        "replace_all",
        argument: "page",
        keys: [
            .required("page", .string)
        ]
    )
}
