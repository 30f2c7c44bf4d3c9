public import Backlot
public import BacklotJSON

/// Judges Xpedite pages by what goes over the wire, whoever made it.
///
/// Source: Xpedite API reference, and this project's ``RuleReadings`` of what it leaves open.
public enum XpediteRules {
    private static let rules: [any PageRule] = [
        RequiredKeys(), PageCaching(), PictureURLs(), PictureReferences(), Colors(), SizeSources(), UniqueIDs(),
        WebSource(),
        TextInputs(), Alignment(), FormSaving(), FieldNames(), FieldValues(), OptionKeys(), TableColumns(), MenuShade(),
        RegisteredMethods(), TitleBarButtons(),
    ]

    /// What is wrong with a page; empty when all is well.
    ///
    /// - Parameters:
    ///   - document: the body of an answer. One with `data` holds the rows of a table, in which nothing is judged.
    ///   - name: what the page is called in findings, such as the method that answered with it.
    ///   - facts: what is known of the app around it.
    ///   - readings: how the reference's gaps are read.
    public static func findings(
        inPage document: JSONValue,
        name: String,
        facts: AppFacts = AppFacts(),
        readings: RuleReadings = RuleReadings()
    ) -> [Finding] {
        guard let object = document.object else {
            let path = FindingPath(page: name)
            let message = "The body is no object, so that clients can't read it."
            return [Finding(.error, rule: "no-object", path: path, message: message, fix: "Answer {\"rc\":0,…}.")]
        }
        let page = CheckedPage(object, name: name, facts: facts, readings: readings)
        var remarks = Remarks(page: name)
        for rule in rules { rule.check(page, &remarks) }
        return remarks.findings
    }
}
