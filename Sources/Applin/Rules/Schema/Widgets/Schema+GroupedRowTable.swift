extension Schema {
    /// What a grouped_row_table accepts.
    ///
    /// The documentation's list of attributes says `widgets`, its code says `row_groups`, and so do clients.
    static let groupedRowTable = Schema(
        "grouped_row_table",
        misnomers: ["widgets": "Write \"row_groups\": groups of rows of widgets."],
        keys: [
            .required("row_groups", .rowGroups),
            .optional("spacing", .number),
        ]
    )
}
