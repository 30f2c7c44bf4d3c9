import Backlot

/// Rules about the texts of an app.
enum LanguageRules {
    /// The texts of one language, with its place in `langs`.
    private struct Table {
        let code: String
        let index: Int
        let texts: JSONObject

        /// The numbers of the texts. Keys that aren't numbers are left out.
        var numbers: Set<Int> { Set(texts.members.compactMap { LanguageRules.number($0.key) }) }
    }

    /// The numbers that the app's texts can have: the master language's numbers, and the reserved ones; nil for a document without
    /// languages.
    static func masterTexts(_ document: CheckedFloki) -> Set<Int>? {
        guard document.root.kind === AppData.vocabulary else { return nil }
        return Set(ReservedTexts.range).union(tables(document).first?.numbers ?? [])
    }

    /// The languages that are written with one code each.
    private static func tables(_ document: CheckedFloki) -> [Table] {
        (document.root.array("langs") ?? []).enumerated().compactMap { index, language in
            guard let object = language.object, object.count == 1, let member = object.members.first,
                let texts = member.value.object
            else { return nil }
            return Table(code: member.key, index: index, texts: texts)
        }
    }

    /// Only decimal numbers without leading zeros count.
    private static func number(_ text: String) -> Int? {
        Int(text).flatMap { "\($0)" == text && (1...Int(Int32.max)).contains($0) ? $0 : nil }
    }

    @Sendable static func languages(_ document: CheckedFloki, _ remarks: inout Remarks) {
        guard document.root.kind === AppData.vocabulary else { return }
        for (index, language) in (document.root.array("langs") ?? []).enumerated() {
            guard let object = language.object, object.count != 1 else { continue }
            remarks.error(
                "malformed-language",
                at: document.root,
                "langs",
                "\(index)",
                message: "This language has \(object.count) keys, but must have one: its code.",
                fix: "Write {\"es\":{\"1\":\"…\"}}."
            )
        }
        let tables = tables(document)
        var codes: Set<String> = []
        for table in tables {
            checkCode(table, isRepeated: !codes.insert(table.code).inserted, document, &remarks)
            for member in table.texts.members { checkNumber(member.key, table, document, &remarks) }
        }
        guard let master = tables.first?.numbers else { return }
        for table in tables.dropFirst() { compare(table, master, document, &remarks) }
    }

    private static func checkCode(
        _ table: Table,
        isRepeated: Bool,
        _ document: CheckedFloki,
        _ remarks: inout Remarks
    ) {
        if isRepeated {
            remarks.error(
                "duplicate-language",
                at: document.root,
                "langs",
                "\(table.index)",
                message: "Another language has the code \(table.code.quoted) too.",
                fix: "Keep one of them."
            )
        }
        if !Language.isCode(table.code) {
            remarks.error(
                "malformed-language-code",
                at: document.root,
                "langs",
                "\(table.index)",
                message: "\(table.code.quoted) is not the code of a language, so no client chooses it.",
                fix: "Write two small letters from ISO 639-1, such as \"es\", or three from ISO 639-2."
            )
        } else if document.facts.readings.requiresTwoLetterCodes, table.code.utf8.count == 3 {
            remarks.warning(
                "three-letter-language",
                at: document.root,
                "langs",
                "\(table.index)",
                message: "Android doesn't read the language code \(table.code.quoted), which has three letters.",
                fix: "Write two letters from ISO 639-1 where the language has such a code."
            )
        }
    }

    private static func checkNumber(
        _ key: String,
        _ table: Table,
        _ document: CheckedFloki,
        _ remarks: inout Remarks
    ) {
        guard let number = number(key) else {
            return remarks.error(
                "malformed-text-number",
                at: document.root,
                "langs",
                "\(table.index)",
                table.code,
                key,
                message: "\(key.quoted) is not the number of a text.",
                fix: "Write a whole number from 1 on, without leading zeros."
            )
        }
        guard number >= ReservedTexts.range.lowerBound, !ReservedTexts.range.contains(number) else { return }
        remarks.error(
            "reserved-text-number",
            at: document.root,
            "langs",
            "\(table.index)",
            table.code,
            key,
            message: "Clients reserve the numbers from 10000 on, and have no text \(number).",
            fix: "Give the text a number below 10000."
        )
    }

    private static func compare(
        _ table: Table,
        _ master: Set<Int>,
        _ document: CheckedFloki,
        _ remarks: inout Remarks
    ) {
        let numbers = table.numbers
        for number in numbers.subtracting(master).sorted() {
            remarks.error(
                "text-not-in-master",
                at: document.root,
                "langs",
                "\(table.index)",
                table.code,
                "\(number)",
                message: "The first language has no text \(number), so clients discard this one.",
                fix: "Add it to the first language."
            )
        }
        let missing = master.subtracting(numbers)
        guard document.facts.readings.requiresCompleteLanguages, let first = missing.min() else { return }
        remarks.error(
            "incomplete-language",
            at: document.root,
            "langs",
            "\(table.index)",
            table.code,
            message: "The language \(table.code.quoted) lacks the text \(first) of the first language"
                + (missing.count > 1 ? " and \(missing.count - 1) more" : "") + ", so Android shows nothing there.",
            fix: "Add it, even if only in the words of the first language."
        )
    }
}
