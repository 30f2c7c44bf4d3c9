extension Schema {
    /// What a modal accepts.
    ///
    /// It has no string form.
    static let modal = Schema(
        "modal",
        dialects: [.objects],
        keys: [
            .required("title", .string),
            .optional("message", .string),
            .required("buttons", .modalButtons),
        ]
    )
}
