extension Schema {
    /// What a button of a modal accepts. It has no `typ`; a leading `!` in its text marks it as destructive.
    static let modalButton = Schema(
        "button",
        keys: [
            .required("text", .string),
            .recommended("actions", .actions, otherwise: "[]"),
        ]
    )
}
