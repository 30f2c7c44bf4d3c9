extension Schema {
    /// What a choose_photo accepts.
    ///
    /// The string form has no aspect ratio.
    static let choosePhoto = Schema(
        "choose_photo",
        argument: "url",
        keys: [
            .required("url", .string),
            .optional("aspect_ratio", .number),
        ]
    )
}
