extension Schema {
    /// What a form_button accepts.
    ///
    /// Without `align`, clients centre it.
    static let formButton = Schema(
        "form_button",
        keys: [
            .required("text", .string),
            .recommended("actions", .actions, otherwise: "[]"),
            .optional("align", .oneOf(["start", "center", "end"])),
        ]
    )
}
