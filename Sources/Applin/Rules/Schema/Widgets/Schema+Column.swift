extension Schema {
    /// What a column accepts.
    ///
    /// The documentation's list of attributes says `alignment`, its code says `align`; clients read `align` only.
    static let column = Schema(
        "column",
        misnomers: ["alignment": "Write \"align\", which is the key that clients read."],
        keys: [
            .required("widgets", .widgets),
            .recommended("align", .oneOf(["start", "center", "end"]), otherwise: #""start""#),
            .optional("spacing", .number),
        ]
    )
}
