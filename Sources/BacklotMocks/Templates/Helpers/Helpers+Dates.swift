import Backlot
import BacklotJSON

/// Points in time.
extension TemplateHelper {
    private static let keys = ["format", "offset", "timezone"]

    static let dates: [TemplateHelper] = [
        TemplateHelper("now", 0...0, named: keys, block: .none, preparation: .dateFormat) { arguments, run in
            date(.now, arguments)
        },
        TemplateHelper("date", 0...1, named: keys, block: .none, preparation: .dateFormat) { arguments, run in
            if arguments[0].isMissing, !arguments.values.isEmpty {
                return .failed("date takes a date, as parseDate makes one")
            }
            guard !arguments.values.isEmpty else {
                return date(.now, arguments)
            }
            guard let value = arguments[0].asDate else {
                return .failed("\(arguments[0].text.shown) is no date; write (parseDate …) around it")
            }
            return date(value, arguments)
        },
        TemplateHelper("dateFormat", 1...2, named: keys, block: .none, preparation: .dateFormat) { arguments, run in
            guard let value = arguments[0].asDate else {
                return .failed("\(arguments[0].text.shown) is no date; write (parseDate …) around it")
            }
            guard !arguments[1].isMissing else { return date(value, arguments) }
            do throws(DateFormat.Mistake) {
                var value = value
                value.format = try DateFormat(DateFormat.named[arguments[1].text] ?? arguments[1].text)
                return date(value, arguments)
            } catch {
                return .failed(error.text)
            }
        },
        TemplateHelper("parseDate", 1...1, named: ["format", "timezone"], preparation: .dateFormat) { arguments, run in
            let text = arguments[0].text
            let zone = arguments["timezone"].isMissing ? .utc : ZoneRules.named(arguments["timezone"].text)
            guard let zone else { return .failed("there is no timezone \(arguments["timezone"].text.shown)") }
            let format: DateFormat?
            do throws(DateFormat.Mistake) {
                format = try arguments.format
            } catch {
                return .failed(error.text)
            }
            guard let time = format.map({ $0.time(text) }) ?? CivilTime(text), let date = TemplateDate(time, in: zone)
            else { return .failed("\(text.shown) is no date\(format.map { " in the form '\($0.source)'" } ?? "")") }
            return .date(date)
        },
        TemplateHelper("truncateDate", 2...2, block: .none) { arguments, run in
            guard var value = arguments[0].asDate else {
                return .failed("\(arguments[0].text.shown) is no date; write (parseDate …) around it")
            }
            guard let truncation = CivilTime.Truncation(rawValue: arguments[1].text.lowercased()) else {
                let hint = Suggestion.hint(
                    for: arguments[1].text,
                    among: CivilTime.Truncation.allCases.map(\.rawValue)
                )
                return .failed("\(arguments[1].text.shown) is no truncation\(hint)")
            }
            value = value.at(value.time.truncated(to: truncation)) ?? value
            return .date(value)
        },
    ]

    private static func date(_ date: TemplateDate, _ arguments: TemplateArguments) -> TemplateValue {
        var date = date
        if !arguments["offset"].isMissing {
            let text = arguments["offset"].text
            guard let moved = date.moved(by: text) else {
                return .failed("\(text.shown) is no offset; write one such as '3 days' or '-2 hours'")
            }
            date = moved
        }
        if !arguments["timezone"].isMissing {
            guard let zone = ZoneRules.named(arguments["timezone"].text) else {
                return .failed("there is no timezone \(arguments["timezone"].text.shown)")
            }
            date.zone = zone
        }
        do throws(DateFormat.Mistake) {
            if let format = try arguments.format { date.format = format }
        } catch {
            return .failed(error.text)
        }
        return .date(date)
    }
}

extension TemplateArguments {
    /// The value of `format=`.
    fileprivate var format: DateFormat? {
        get throws(DateFormat.Mistake) {
            if case .dateFormat(let format) = call.prepared { return format }
            let text = self["format"]
            return text.isMissing ? nil : try DateFormat(DateFormat.named[text.text] ?? text.text)
        }
    }
}

extension TemplateValue {
    /// The date that it is, or that its text or number says.
    fileprivate var asDate: TemplateDate? {
        if case .date(let date) = self { return date }
        if case .json(.number(let number)) = self { return number.int64.map { TemplateDate(milliseconds: $0) } }
        return CivilTime(text).flatMap { TemplateDate($0) }
    }
}
