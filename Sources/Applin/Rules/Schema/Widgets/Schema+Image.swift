extension Schema {
    /// What an image accepts.
    ///
    /// iOS clients take `cover` where `disposition` is missing; the Rust library requires it.
    static let image = Schema(
        "image",
        keys: [
            .required("aspect_ratio", .number),
            .required("url", .string),
            .recommended("disposition", .oneOf(["fit", "cover", "stretch"]), otherwise: #""cover""#),
        ]
    )
}
