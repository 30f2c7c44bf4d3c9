extension Schema {
    /// What a launch_url accepts.
    static let launchUrl = Schema(
        "launch_url",
        argument: "url",
        keys: [
            .required("url", .string)
        ]
    )
}
