extension Schema {
    /// What a take_photo accepts.
    ///
    /// The string form has no aspect ratio.
    static let takePhoto = Schema(
        "take_photo",
        argument: "url",
        keys: [
            .required("url", .string),
            .optional("aspect_ratio", .number),
        ]
    )
}
