public import Backlot
public import BacklotJSON

/// Judges documents by what goes over the wire, whoever made them.
///
/// Source: Dynamic Views documentation, and what clients really decode.
public enum DynamicViewsRules {
    private static let rules: [any DocumentRule] = [
        DocumentKeys(), KnownTypes(), WidgetIDs(), WidgetKeys(), Paddings(), OptionIDs(), StorageKeys(),
        AndroidWidgets(), IgnoredKeys(), StyleName(), SectionPlaces(), ListedNames(),
    ]

    /// What is wrong with a document; empty when all is well.
    ///
    /// - Parameters:
    ///   - document: the document.
    ///   - name: what it is called in findings, such as its path.
    ///   - dialect: the clients that it is for.
    ///   - catalogue: the texts and pictures that the app has.
    public static func findings(
        in document: JSONValue,
        name: String,
        dialect: Dialect = .ios,
        catalogue: Catalogue = Catalogue()
    ) -> [Finding] {
        guard let object = document.object else {
            let path = FindingPath(page: name)
            let fix = "Write {\"configuration\":{},\"widgets\":[…]}."
            return [Finding(.error, rule: "no-object", path: path, message: "It is no object.", fix: fix)]
        }
        let checked = CheckedDocument(object, dialect: dialect, catalogue: catalogue)
        var remarks = Remarks(name: name)
        for rule in rules { rule.check(checked, &remarks) }
        return remarks.findings
    }
}
