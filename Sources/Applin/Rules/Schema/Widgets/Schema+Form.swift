extension Schema {
    /// What a form accepts.
    static let form = Schema(
        "form",
        keys: [
            .required("widgets", .widgets)
        ]
    )
}
