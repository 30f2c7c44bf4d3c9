import Backlot

/// Rules about forms and their input.
enum FormRules {
    /// A form's values are sent under its id.
    @Sendable static func saving(_ page: CheckedPacket, _ remarks: inout Remarks) {
        for form in page.tree.nodes(Form.vocabulary) where form.has("save") && !form.has("id") {
            remarks.error(
                "save-without-id",
                at: form,
                "save",
                message: "A form's values are sent under its id, but this form has no id.",
                fix: "Give the form an \"id\"."
            )
        }
    }

    /// The names of a form's fields are unique.
    @Sendable static func names(_ page: CheckedPacket, _ remarks: inout Remarks) {
        for form in page.tree.nodes(Form.vocabulary) {
            var seen: Set<String> = []
            for field in page.tree.contents(of: form, under: "components") where field.kind != Section.vocabulary {
                guard let name = field.string("name"), !name.isEmpty, !seen.insert(name).inserted else { continue }
                remarks.error(
                    "duplicate-name",
                    at: field,
                    "name",
                    message: "Another field of the form has the name \(name.quoted) too, so only one value arrives.",
                    fix: "Give this field another \"name\"."
                )
            }
        }
    }

    /// The value of a select or a radio is one of its options.
    @Sendable static func options(_ page: CheckedPacket, _ remarks: inout Remarks) {
        for field in page.tree.nodes(Select.vocabulary, Radio.vocabulary) {
            guard let value = field.string("value"), let options = field.value("options")?.object,
                options[value] == nil
            else { continue }
            remarks.error(
                "unknown-option",
                at: field,
                "value",
                message: "\(value.quoted) isn't one of the options.",
                fix: "Write the key of an option."
            )
        }
    }

    /// Clients sort options by their keys, as texts.
    @Sendable static func optionKeys(_ page: CheckedPacket, _ remarks: inout Remarks) {
        for field in page.tree.nodes(Select.vocabulary, Radio.vocabulary) {
            let keys = field.value("options")?.object?.keys ?? []
            guard Set(keys.map(\.count)).count > 1 else { continue }
            remarks.warning(
                "option-keys-of-unequal-length",
                at: field,
                "options",
                message: "Clients sort options by key as texts, so that \"10\" stands before \"2\".",
                fix: "Make all keys equally long: \"02\", \"10\"."
            )
        }
    }

    /// The return key must lead to a field of the page.
    @Sendable static func nextFields(_ page: CheckedPacket, _ remarks: inout Remarks) {
        let ids = Set(page.parts.compactMap { $0.string("id") })
        for field in page.tree.nodes(TextBox.vocabulary, Password.vocabulary) {
            guard let id = field.string("onEnter"), !id.isEmpty, !ids.contains(id) else { continue }
            remarks.error(
                "unknown-on-enter",
                at: field,
                "onEnter",
                message: "No field of the page has the id \(id.quoted).",
                fix: "Write the \"id\" of the field that comes next."
            )
        }
    }

    /// One field of a page has the keyboard.
    @Sendable static func focus(_ page: CheckedPacket, _ remarks: inout Remarks) {
        let fields = page.tree.nodes(TextBox.vocabulary, Password.vocabulary).filter { $0.bool("focus") == true }
        for field in fields.dropFirst() {
            remarks.warning(
                "two-focus-fields",
                at: field,
                "focus",
                message: "Another field of the page already has the focus.",
                fix: "Keep \"focus\" in one field."
            )
        }
    }
}
