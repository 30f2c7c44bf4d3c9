/// What a version indicator must be.
enum IndicatorRules {
    static func check(_ scope: WireScope, _ remarks: inout Remarks) {
        remarks.integer(scope, "v", 1...Int64(Int32.max), isRequired: true)
        remarks.integer(scope, "ttl", 1...Int64(Int32.max), rule: "ttl-out-of-range", isRequired: true)
        guard let url = remarks.string(scope, "url", isRequired: true), !Link.isAbsolute(url) else { return }
        remarks.error(
            "relative-url",
            scope,
            "url",
            "\"\(url.excerpt)\" is not an absolute URL.",
            fix: "Write all of it, from http:// on."
        )
    }
}
