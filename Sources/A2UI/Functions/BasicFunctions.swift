import Backlot

/// The functions of the basic catalog.
///
/// Source: the A2UI specification, Basic catalog; where it is silent, the official Python core 0.4.0.
enum BasicFunctions {
    static func all(_ version: ProtocolVersion) -> [Function] {
        let isOne = version.isOne
        let check = isOne ? Function.ResultType.validationResult : .boolean
        let text = Property("value", .dynamic(.string), required: true, "The text.")
        let number = Property("value", .dynamic(.number), required: true, "The number.")
        let decimals = Property("decimals", .dynamic(.number), "The number of decimals; at most 3 without it.")
        let grouping = Property(
            "grouping",
            .dynamic(.boolean),
            "Whether thousands have separators, which they have by default."
        )
        let conditions = Property("values", .list(.dynamic(.boolean), least: 2), required: true, "The conditions.")
        let length = PropertyType.integer(least: 0)

        var lengthCheck = Function(
            "length",
            "Whether a text has so many characters, or a list so many elements.",
            returns: check,
            parameters: [text, Property("min", length, "The fewest."), Property("max", length, "The most.")]
        ) { arguments, evaluator throws(A2UIError) in
            let count =
                switch arguments["value"] {
                case .array(let elements)?: elements.count
                case .object(let object)?: object.count
                case let value: Evaluator.text(of: value).unicodeScalars.count
                }
            return evaluator.result(isValid: isWithin(Double(count), arguments))
        }
        lengthCheck.alternatives = ["min", "max"]
        var numericCheck = Function(
            "numeric",
            "Whether a number lies between bounds. Texts of numbers count.",
            returns: check,
            parameters: [number, Property("min", .number, "The smallest."), Property("max", .number, "The largest.")]
        ) { arguments, evaluator throws(A2UIError) in
            evaluator.result(isValid: arguments["value"]?.asNumber.map { isWithin($0, arguments) } ?? false)
        }
        numericCheck.alternatives = ["min", "max"]
        var openURL = Function(
            "openUrl",
            "Opens a URL in a browser.",
            returns: .void,
            parameters: [Property("url", isOne ? .dynamic(.url) : .url, required: true, "The URL.")]
        ) { arguments, _ throws(A2UIError) in
            let url = Evaluator.text(of: arguments["url"]).drop(while: \.isWhitespace)
            let scheme = url.prefix { $0 != ":" }.lowercased()
            guard url.isEmpty || url.contains(":") && ["http", "https", "mailto", "tel"].contains(scheme) else {
                throw A2UIError(
                    .expression,
                    "invalid_value",
                    "openUrl doesn't open \(String(url).quoted); write an https URL."
                )
            }
            return nil
        }
        openURL.requiresUserActivation = isOne

        return [
            Function(
                "required",
                "Whether a value is there and not empty.",
                returns: check,
                parameters: [Property("value", .any, required: true, "The value.")]
            ) { arguments, evaluator throws(A2UIError) in
                let value = arguments["value"] ?? .null
                return evaluator.result(isValid: !(value.isNull || value == "" || value == []))
            },
            Function(
                "regex",
                "Whether a regular expression matches somewhere in a text.",
                returns: check,
                parameters: [
                    text,
                    Property("pattern", .string, required: true, "The regular expression, in JavaScript's syntax."),
                ]
            ) { arguments, evaluator throws(A2UIError) in
                evaluator.result(isValid: try matches(Evaluator.text(of: arguments["value"]), arguments["pattern"]))
            },
            lengthCheck, numericCheck,
            Function("email", "Whether a text is an e-mail address.", returns: check, parameters: [text]) {
                arguments,
                evaluator throws(A2UIError) in
                let address = arguments["value"]?.string ?? ""
                guard !isEmail(address), evaluator.version.isOne else {
                    return .bool(isEmail(address)).asResult(evaluator)
                }
                return [
                    "valid": false, "code": "INVALID_EMAIL", "severity": "error",
                    "message": "Give an e-mail address, with an @ and a host.",
                ]
            },
            Function(
                "formatString",
                "A text with ${expressions} for parts of the data model.",
                returns: .string,
                parameters: [text]
            ) { arguments, evaluator throws(A2UIError) in
                .string(try evaluator.text(ofFormat: Evaluator.text(of: arguments["value"])))
            },
            Function("formatNumber", "A number as text.", returns: .string, parameters: [number, decimals, grouping]) {
                arguments,
                _ throws(A2UIError) in
                let number = try arguments.number("value")
                return .string(NumberText(number).text(try arguments.decimals, isGrouped: arguments.isGrouped))
            },
            Function(
                "formatCurrency",
                "An amount of money as text.",
                returns: .string,
                parameters: [
                    number,
                    Property("currency", .dynamic(.string), required: true, "The code, such as EUR (ISO 4217)."),
                    decimals, grouping,
                ]
            ) { arguments, _ throws(A2UIError) in
                let amount = NumberText(try arguments.number("value"))
                let digits = amount.text(try arguments.decimals ?? 2...2, isGrouped: arguments.isGrouped)
                let sign = NumberText.currencySign(Evaluator.text(of: arguments["currency"]))
                return .string(digits.hasPrefix("-") ? "-\(sign)\(digits.dropFirst())" : sign + digits)
            },
            Function(
                "formatDate",
                "A date or a time as text.",
                returns: .string,
                parameters: [
                    Property("value", .dynamic(.value), required: true, "The date in the form of ISO 8601."),
                    Property(
                        "format",
                        .dynamic(.string),
                        required: true,
                        "ISO, or a pattern such as d MMMM yyyy (Unicode TR 35)."
                    ),
                ]
            ) { arguments, _ throws(A2UIError) in
                let date = arguments["value"]?.string.flatMap(CalendarDate.init)
                return .string(date?.text(Evaluator.text(of: arguments["format"])) ?? "")
            },
            Function(
                "pluralize",
                "The text for a number of things.",
                returns: .string,
                parameters: [number]
                    + ["zero", "one", "two", "few", "many", "other"].map {
                        Property($0, .dynamic(.string), required: $0 == "other", "The text for the category \($0).")
                    }
            ) { arguments, _ throws(A2UIError) in
                let number = try arguments.number("value")
                let exact: String? =
                    number == 0 ? "zero" : number == 1 || number == -1 ? "one" : number == 2 ? "two" : nil
                return .string(Evaluator.text(of: exact.flatMap { arguments[$0] } ?? arguments["other"]))
            },
            openURL,
            Function("and", "Whether all conditions are true.", returns: .boolean, parameters: [conditions]) {
                arguments,
                evaluator throws(A2UIError) in
                .bool(try arguments.conditions.allSatisfy { $0.isTruthy(evaluator.version) })
            },
            Function("or", "Whether one of several conditions is true.", returns: .boolean, parameters: [conditions]) {
                arguments,
                evaluator throws(A2UIError) in
                .bool(try arguments.conditions.contains { $0.isTruthy(evaluator.version) })
            },
            Function(
                "not",
                "Whether a condition is false.",
                returns: .boolean,
                parameters: [Property("value", .dynamic(.boolean), required: true, "The condition.")]
            ) { arguments, evaluator throws(A2UIError) in
                .bool(!(arguments["value"] ?? .null).isTruthy(evaluator.version))
            },
        ]
    }

    private static func isWithin(_ number: Double, _ bounds: JSONObject) -> Bool {
        (bounds["min"]?.asNumber).map { number >= $0 } ?? true && (bounds["max"]?.asNumber).map { number <= $0 } ?? true
    }

    /// The search has limits of time and memory; without a result it counts as no match.
    private static func matches(_ text: String, _ pattern: JSONValue?) throws(A2UIError) -> Bool {
        do throws(PatternError) {
            var time = PCRERegex.time(forBytes: text.utf8.count)
            return try PCRERegex(pattern?.string ?? "", syntax: .ecma).search(text, within: &time) == .matches
        } catch {
            throw A2UIError(
                .expression,
                "invalid_value",
                "The pattern \((pattern?.string ?? "").quoted) can't be read: \(error)."
            )
        }
    }

    /// A name, one @, and a domain with at least two letters in its last label.
    private static func isEmail(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, let dot = parts[1].lastIndex(of: ".") else { return false }
        let top = parts[1][dot...].dropFirst()
        return dot != parts[1].startIndex && top.utf8.count >= 2 && top.utf8.allSatisfy(\.isLetter)
            && text.utf8.allSatisfy { $0 < 0x80 && $0 > 0x20 && !"()<>[],;:\\\"".utf8.contains($0) }
    }
}

extension Evaluator {
    /// The result of a check: a validation result in 1.0, and a boolean before.
    fileprivate func result(isValid: Bool) -> JSONValue { JSONValue.bool(isValid).asResult(self) }
}

extension JSONObject {
    fileprivate func number(_ key: String) throws(A2UIError) -> Double {
        guard let number = self[key]?.asNumber else {
            let text = Evaluator.text(of: self[key])
            throw A2UIError(
                .expression,
                "type_mismatch",
                "\(text.isEmpty ? "null" : text.quoted) isn't a number; bind one."
            )
        }
        return number
    }

    /// The fewest and the most decimals; nil by default.
    fileprivate var decimals: ClosedRange<Int>? {
        get throws(A2UIError) {
            guard self["decimals"] != nil, self["decimals"] != .null else { return nil }
            let count = Int(max(0, min(100, try number("decimals"))))
            return count...count
        }
    }

    fileprivate var isGrouped: Bool { self["grouping"]?.bool ?? true }

    fileprivate var conditions: [JSONValue] {
        get throws(A2UIError) {
            guard let values = self["values"]?.array, values.count >= 2 else {
                throw A2UIError(.expression, "invalid_value", "and and or take a list of two conditions or more.")
            }
            return values
        }
    }
}

extension JSONValue {
    fileprivate func asResult(_ evaluator: Evaluator) -> JSONValue { evaluator.version.isOne ? ["valid": self] : self }

    /// A number, the number that a text holds, or 1 and 0 for booleans.
    var asNumber: Double? {
        switch self {
        case .number(let number): number.double
        case .string(let text): Double(text).flatMap { $0.isFinite ? $0 : nil }
        case .bool(let value): value ? 1 : 0
        default: nil
        }
    }

    /// Whether the value counts as true. In 1.0, a validation result counts as its `valid`.
    func isTruthy(_ version: ProtocolVersion) -> Bool {
        switch self {
        case .null: false
        case .bool(let value): value
        case .number(let number): number.double != 0
        case .string(let text): !text.isEmpty
        case .array(let elements): !elements.isEmpty
        case .object(let object):
            if version.isOne, let valid = object["valid"] { valid.isTruthy(version) } else { object.count > 0 }
        }
    }
}
