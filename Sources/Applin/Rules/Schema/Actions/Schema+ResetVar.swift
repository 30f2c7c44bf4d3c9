extension Schema {
    /// What a reset_var accepts.
    ///
    /// It has no string form.
    static let resetVar = Schema(
        "reset_var",
        dialects: [.objects],
        keys: [
            .required("var_name", .string)
        ]
    )
}
