extension Schema {
    /// What a button accepts.
    static let button = Schema(
        "button",
        keys: [
            .required("text", .string),
            .recommended("actions", .actions, otherwise: "[]"),
        ]
    )
}
