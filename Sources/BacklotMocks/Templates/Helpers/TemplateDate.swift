import Backlot

/// Points in time.
extension TemplateHelper {
    private static let keys = ["format", "offset", "timezone"]

    static let dates: [TemplateHelper] = [
        TemplateHelper("now", 0...0, named: keys, block: .none, preparing: [.dateFormat]) { arguments, run in
            try date(run.now, arguments)
        },
        TemplateHelper("date", 0...1, named: keys, block: .none, preparing: [.dateFormat]) { arguments, run in
            guard !arguments.values.isEmpty else { return try date(run.now, arguments) }
            if arguments[0].isMissing { throw MessageError("date takes a date, as parseDate makes one") }
            return try date(try point(arguments), arguments)
        },
        TemplateHelper("dateFormat", 1...2, named: keys, block: .none, preparing: [.dateFormat]) { arguments, _ in
            var value = try point(arguments)
            if !arguments[1].isMissing { value.format = try dateFormat(arguments[1].text) }
            return try date(value, arguments)
        },
        TemplateHelper("parseDate", 1...1, named: ["format", "timezone"], preparing: [.dateFormat]) { arguments, _ in
            let text = arguments[0].text
            let (zone, format) = (try zone(arguments) ?? .utc, try format(arguments))
            guard let time = format.map({ $0.time(text) }) ?? CivilTime(text), let date = TemplateDate(time, in: zone)
            else {
                throw MessageError("\(text.shown) is no date\(format.map { " in the form '\($0.source)'" } ?? "")")
            }
            return .date(date)
        },
        TemplateHelper("truncateDate", 2...2, block: .none) { arguments, _ in
            let value = try point(arguments)
            let name = arguments[1].text
            guard let truncation = CivilTime.Truncation(rawValue: name.lowercased()) else {
                let hint = Suggestion.hint(for: name, among: CivilTime.Truncation.allCases.map(\.rawValue))
                throw MessageError("\(name.shown) isn't a truncation\(hint)")
            }
            return .date(value.at(value.time.truncated(to: truncation)) ?? value)
        },
    ]

    private static func date(_ date: TemplateDate, _ arguments: TemplateArguments) throws -> TemplateValue {
        var date = date
        if !arguments["offset"].isMissing {
            let text = arguments["offset"].text
            let problem = "\(text.shown) isn't an offset; write one such as '3 days' or '-2 hours'"
            date = try date.moved(by: text).or(problem)
        }
        date.zone = try zone(arguments) ?? date.zone
        date.format = try format(arguments) ?? date.format
        return .date(date)
    }

    private static func zone(_ arguments: TemplateArguments) throws(MessageError) -> ZoneRules? {
        guard !arguments["timezone"].isMissing else { return nil }
        let name = arguments["timezone"].text
        return try ZoneRules.named(name).or("there is no timezone \(name.shown)")
    }

    private static func format(_ arguments: TemplateArguments) throws(TemplateError) -> DateFormat? {
        let text = arguments["format"]
        return text.isMissing ? nil : try arguments.prepared(text.text, dateFormat)
    }

    fileprivate static func dateFormat(_ source: String) throws(TemplateError) -> DateFormat {
        try mapErrors({ TemplateError("'\(source)' isn't a date format: \($0)") }) {
            try DateFormat(DateFormat.named[source] ?? source)
        }
    }

    /// The date in the first argument, or in its text or number.
    private static func point(_ arguments: TemplateArguments) throws(MessageError) -> TemplateDate {
        if case .date(let date) = arguments[0] { return date }
        if case .json(.number) = arguments[0], let number = arguments[0].wholeNumber {
            let time = CivilTime(seconds: Double(number) / 1000, offset: 0)
            return try TemplateDate(time).or("\(number) milliseconds since 1970 aren't in the years 1 to 9999")
        }
        let problem = "\(arguments[0].text.shown) isn't a date; write (parseDate …) around it"
        return try CivilTime(arguments[0].text).flatMap { TemplateDate($0) }.or(problem)
    }
}

extension TemplateHelper.Preparation {
    fileprivate static let dateFormat = Self(name: "format", read: TemplateHelper.dateFormat)
}

/// A point in time in a template, with its format.
struct TemplateDate: Sendable {
    /// Since 1970 began in UTC.
    private(set) var milliseconds: Int64
    fileprivate(set) var format: DateFormat?
    fileprivate(set) var zone = ZoneRules.utc

    init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// - Returns: nil outside of the years 1 to 9999.
    init?(_ time: CivilTime, in zone: ZoneRules = .utc) {
        guard time.isWritable else { return nil }
        let ahead = time.offset ?? zone.rule(at: Int64(time.seconds.rounded(.down))).offset
        milliseconds = Int64(((time.seconds - Double(ahead)) * 1000).rounded())
    }

    /// The present.
    static var now: TemplateDate { TemplateDate(milliseconds: Int64(CivilTime.now.seconds * 1000)) }

    /// The time by a clock in UTC.
    fileprivate var time: CivilTime { CivilTime(seconds: Double(milliseconds) / 1000, offset: 0) }

    /// The date at another point in time; nil outside of the years 1 to 9999.
    fileprivate func at(_ time: CivilTime) -> TemplateDate? {
        guard var date = TemplateDate(time) else { return nil }
        (date.format, date.zone) = (format, zone)
        return date
    }

    /// The date after a span such as `3 days` or `-1 months`; nil for an invalid span.
    func moved(by text: String) -> TemplateDate? {
        let words = text.split(whereSeparator: \.isWhitespace)
        guard words.count == 2, let amount = Int(words[0]), amount.magnitude < 1_000_000_000 else { return nil }
        let name = words[1].lowercased()
        guard let unit = CivilTime.Unit(rawValue: name.hasSuffix("s") ? name : name + "s") else { return nil }
        guard amount.magnitude < 120_000 || unit != .months && unit != .years else { return nil }
        return at(time.moved(by: amount, unit))
    }

    /// As ISO 8601 without a format.
    var text: String { (format ?? DateFormat.iso).text(milliseconds, zone) }
}
