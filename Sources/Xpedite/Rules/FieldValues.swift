import BacklotJSON

/// The value of a field is one that it can have.
struct FieldValues: PageRule {
    func check(_ page: CheckedPage, _ remarks: inout Remarks) {
        for node in page.nodes where node.kind == .field {
            guard let value = node.object["value"], !value.isNull else { continue }
            guard let problem = FieldValue.problem(value, in: node.object) else { continue }
            remarks.error(problem.rule, node, "value", problem.message, fix: problem.fix)
        }
    }
}

/// What the value of a field must be. Pages are judged by it, and what people have sent.
enum FieldValue {
    struct Problem {
        let rule: String
        /// For the app's developer.
        let message: String
        let fix: String
        /// For whoever fills in the form.
        let advice: String
    }

    static func problem(_ value: JSONValue, in field: JSONObject) -> Problem? {
        switch field["type"]?.string {
        case "checkbox":
            guard value != "1", value != "0" else { return nil }
            return Problem(
                rule: "malformed-checkbox",
                message: "A checkbox is \"1\" or \"0\", not \(value.description.excerpt).",
                fix: "Write \"1\" or \"0\", as a string.",
                advice: "switch it on or off"
            )
        case "date":
            guard value.string.flatMap({ Day($0) }) == nil else { return nil }
            return Problem(
                rule: "malformed-date",
                message: "\(value.description.excerpt) is no day of the calendar.",
                fix: "Write yyyy-MM-dd, such as 1990-06-15.",
                advice: "pick a date"
            )
        case "select", "radio":
            guard let options = field["options"]?.object, options[value.string ?? ""] == nil || value.string == nil
            else { return nil }
            return Problem(
                rule: "unknown-option",
                message: "\(value.description.excerpt) is none of the options.",
                fix: "Write the key of an option.",
                advice: "choose one of the options"
            )
        case "textbox", "password", "textview":
            guard value.string == nil else { return nil }
            return Problem(
                rule: "malformed-text",
                message: "\(value.description.excerpt) is not a string.",
                fix: "Write a string.",
                advice: "write a text"
            )
        default: return nil
        }
    }
}
