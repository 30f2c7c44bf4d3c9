import BacklotJSON

/// What the texts of an app must be.
enum LanguageRules {
    /// - Returns: the numbers of the master language, and those that are reserved.
    static func check(_ scope: WireScope, _ remarks: inout Remarks) -> Set<Int> {
        let reserved = Set(ReservedTexts.range)
        guard let languages = remarks.array(scope, "langs", of: "objects", isRequired: true) else { return reserved }
        if languages.isEmpty {
            remarks.error(
                "no-language",
                scope,
                "langs",
                "An app without a language has no texts.",
                fix: "Add one: {\"en\":{\"1\":\"…\"}}."
            )
        }
        var master: Set<Int>?
        var codes: Set<String> = []
        for (index, language) in languages.enumerated() {
            let key = "langs/\(index)"
            guard let object = language.object, object.count == 1, let member = object.members.first,
                let texts = member.value.object
            else {
                remarks.error(
                    "malformed-language",
                    scope,
                    key,
                    "A language is an object with one key, its code.",
                    fix: "Write {\"es\":{\"1\":\"…\"}}."
                )
                continue
            }
            checkCode(member.key, &codes, scope, key, &remarks)
            let numbers = numbers(texts, scope, "\(key)/\(member.key)", &remarks)
            if let master {
                compare(numbers, master, member.key, scope, "\(key)/\(member.key)", &remarks)
            } else {
                master = numbers
            }
        }
        return reserved.union(master ?? [])
    }

    private static func checkCode(
        _ code: String,
        _ codes: inout Set<String>,
        _ scope: WireScope,
        _ key: String,
        _ remarks: inout Remarks
    ) {
        if !codes.insert(code).inserted {
            remarks.error(
                "duplicate-language",
                scope,
                key,
                "The language \"\(code.excerpt)\" is there twice.",
                fix: "Keep one of them."
            )
        }
        if remarks.readings.twoLetterCodes, !Language.isCode(code) {
            remarks.error(
                "malformed-language-code",
                scope,
                key,
                "Android knows no language \"\(code.excerpt)\".",
                fix: "Write the two letters of ISO 639-1, such as \"es\"."
            )
        }
    }

    private static func numbers(
        _ texts: JSONObject,
        _ scope: WireScope,
        _ key: String,
        _ remarks: inout Remarks
    ) -> Set<Int> {
        var numbers: Set<Int> = []
        for text in texts.members {
            guard let number = Int(text.key), "\(number)" == text.key, number > 0, number <= Int(Int32.max) else {
                remarks.error(
                    "malformed-text-number",
                    scope,
                    "\(key)/\(text.key)",
                    "\"\(text.key.excerpt)\" is no number of a text.",
                    fix: "Write a whole number from 1 on, without leading zeros."
                )
                continue
            }
            numbers.insert(number)
            if number >= ReservedTexts.range.lowerBound, !ReservedTexts.range.contains(number) {
                remarks.error(
                    "reserved-text-number",
                    scope,
                    "\(key)/\(text.key)",
                    "Clients keep the numbers from 10000 on for themselves, and know no \(number).",
                    fix: "Give the text a number below 10000."
                )
            }
            guard text.value.string == nil else { continue }
            remarks.error(
                "wrong-type",
                scope,
                "\(key)/\(text.key)",
                "The text is \(text.value.description.excerpt).",
                fix: "Write a string."
            )
        }
        return numbers
    }

    private static func compare(
        _ numbers: Set<Int>,
        _ master: Set<Int>,
        _ code: String,
        _ scope: WireScope,
        _ key: String,
        _ remarks: inout Remarks
    ) {
        for number in numbers.subtracting(master).sorted() {
            remarks.error(
                "text-not-in-master",
                scope,
                "\(key)/\(number)",
                "The first language has no text \(number), so that clients discard this one.",
                fix: "Add it to the first language."
            )
        }
        let missing = master.subtracting(numbers)
        guard remarks.readings.completeLanguages, let first = missing.min() else { return }
        remarks.error(
            "incomplete-language",
            scope,
            key,
            "The language \"\(code.excerpt)\" lacks the text \(first) of the first language"
                + (missing.count > 1 ? " and \(missing.count - 1) more" : "") + ", and Android then has none.",
            fix: "Add it, if need be in the first language's words."
        )
    }
}
