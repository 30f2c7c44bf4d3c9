extension Schema {
    /// What a back_button accepts.
    static let backButton = Schema(
        "back_button",
        keys: [
            .recommended("actions", .actions, otherwise: "[]")
        ]
    )
}
