import BacklotJSON

/// Numbers.
extension TemplateHelper {
    static let numbers: [TemplateHelper] = [
        TemplateHelper("math", 3...3, block: .none) { arguments, _ in try math(arguments) },
        TemplateHelper("maths", 3...3, block: .none) { arguments, _ in try math(arguments) },
        parity("isOdd", false, "odd"), parity("isEven", true, "even"),
        TemplateHelper("stripes", 3...3, block: .none) { arguments, _ in
            arguments[arguments[0].int?.isMultiple(of: 2) == true ? 1 : 2]
        },
        TemplateHelper("numberFormat", 1...3, named: NumberFormat.options, block: .none) { arguments, _ in
            let number = try arguments[0].number.or("\(arguments[0].text.shown) is no number")
            return .text(try NumberFormat(arguments).text(number))
        },
    ]

    private static func parity(_ name: String, _ isEven: Bool, _ word: String) -> TemplateHelper {
        TemplateHelper(name, 1...2, block: .none) { arguments, _ in
            guard arguments[0].int?.isMultiple(of: 2) == isEven else { return .text("") }
            return arguments[1].isMissing ? .text(word) : arguments[1]
        }
    }

    /// A number, whole if it has no fraction.
    static func number(_ value: Double) throws(MessageError) -> TemplateValue {
        .json(.number(try JSONNumber(value).or("the result isn't a number")))
    }

    /// Without the last digits, which come from binary fractions: 0.1
    /// 0.2 is 0.3.
    private static func rounded(_ value: Double) throws(MessageError) -> TemplateValue {
        try number(value.magnitude < 1e9 ? (value * 1e9).rounded() / 1e9 : value)
    }

    private static func math(_ arguments: TemplateArguments) throws(MessageError) -> TemplateValue {
        let sign = arguments[1].text
        guard ["+", "-", "*", "x", "/", "%"].contains(sign) else {
            throw MessageError("\(sign.shown) is not known to math; write '+', '-', '*', '/' or '%'")
        }
        if let left = arguments[0].int, let right = arguments[2].int { return .int(try math(left, sign, right)) }
        guard let left = arguments[0].number, let right = arguments[2].number else {
            let wrong = arguments[arguments[0].number == nil ? 0 : 2]
            throw MessageError("\(wrong.text.shown) is no number")
        }
        switch sign {
        case "+": return try rounded(left + right)
        case "-": return try rounded(left - right)
        case "/", "%":
            guard right != 0 else { throw MessageError("\(left) can't be divided by 0") }
            return sign == "/" ? try number(left / right) : try rounded(left.truncatingRemainder(dividingBy: right))
        default: return try rounded(left * right)
        }
    }

    private static func math(_ left: Int, _ sign: String, _ right: Int) throws(MessageError) -> Int {
        let result: (partialValue: Int, overflow: Bool)
        switch sign {
        case "+": result = left.addingReportingOverflow(right)
        case "-": result = left.subtractingReportingOverflow(right)
        case "/", "%":
            guard right != 0 else { throw MessageError("\(left) can't be divided by 0") }
            guard sign == "/" else { return left.remainderReportingOverflow(dividingBy: right).partialValue }
            result = left.dividedReportingOverflow(by: right)
            // WireMock rounds the quotient of two whole numbers, halves away from 0.
            let rest = left.remainderReportingOverflow(dividingBy: right).partialValue
            if rest != 0, rest.magnitude >= right.magnitude - rest.magnitude {
                return result.partialValue + ((left < 0) == (right < 0) ? 1 : -1)
            }
        default: result = left.multipliedReportingOverflow(by: right)
        }
        guard !result.overflow else { throw MessageError("the result is too large") }
        return result.partialValue
    }
}

/// The form of a number: a name, or a pattern of Java's `DecimalFormat` such as `#,##0.00`.
private struct NumberFormat {
    enum Rounding: String {
        case up, down, ceiling, floor
        case halfUp = "half_up"
        case halfDown = "half_down"
        case halfEven = "half_even"
    }

    static let options = [
        "groupingUsed", "maximumFractionDigits", "minimumFractionDigits", "maximumIntegerDigits",
        "minimumIntegerDigits", "roundingMode",
    ]

    private var fraction = 0...3
    private var leastInteger = 1
    private var mostInteger: Int?
    private var isGrouped = true
    private var rounding = Rounding.halfEven
    private var prefix = ""
    private var suffix = ""
    private var factor = 1.0
    private var group = ","
    private var point = "."

    init(_ arguments: TemplateArguments) throws(MessageError) {
        self.init(arguments[1].isMissing ? "number" : arguments[1].text, locale: arguments[2].text)
        func count(_ name: String) -> Int? { arguments[name].int.flatMap { (0...40).contains($0) ? $0 : nil } }
        isGrouped = arguments.flag("groupingUsed") ?? isGrouped
        if let most = count("maximumFractionDigits") { fraction = min(fraction.lowerBound, most)...most }
        if let least = count("minimumFractionDigits") { fraction = least...max(least, fraction.upperBound) }
        leastInteger = count("minimumIntegerDigits") ?? leastInteger
        mostInteger = count("maximumIntegerDigits")
        guard !arguments["roundingMode"].isMissing else { return }
        let name = arguments["roundingMode"].text
        let problem = "\(name.shown) isn't a rounding mode; write one such as half_up"
        rounding = try Rounding(rawValue: name.lowercased()).or(problem)
    }

    private init(_ format: String, locale: String) {
        let parts = locale.split { $0 == "_" || $0 == "-" }
        let isGerman = parts.first?.lowercased() == "de"
        if isGerman { (group, point) = (".", ",") }
        switch format {
        case "number": break
        case "integer": fraction = 0...0
        case "percent": (fraction, factor, suffix) = (0...0, 100, isGerman ? "\u{A0}%" : "%")
        case "currency":
            fraction = 2...2
            switch parts.dropFirst().first {
            case "GB": prefix = "£"
            case "DE", "AT", "FR", "ES", "IT", "NL", "IE": (prefix, suffix) = isGerman ? ("", "\u{A0}€") : ("€", "")
            default: prefix = "$"
            }
        default:
            let body = format.drop { !"#0,.".contains($0) }
            let number = body.prefix { "#0,.".contains($0) }
            let whole = number.prefix { $0 != "." }
            let decimals = number.dropFirst(whole.count + 1).prefix { $0 != "." }
            (prefix, suffix) = (String(format[..<body.startIndex]), String(body[number.endIndex...]))
            isGrouped = whole.contains(",")
            leastInteger = whole.count { $0 == "0" }
            let least = decimals.count { $0 == "0" }
            fraction = least...max(least, min(40, decimals.count))
            if (prefix + suffix).contains("%") { factor = 100 }
        }
    }

    func text(_ value: Double) -> String {
        let scaled = value * factor
        guard scaled.magnitude < 1e15 else { return "\(scaled)" }
        var (units, places) = Self.decimal(scaled.magnitude)
        if places > fraction.upperBound {
            units = rounded(units, without: places - fraction.upperBound, isNegative: scaled < 0)
            places = fraction.upperBound
        }
        let digits = Self.zeros(places - String(units).count) + String(units)
        var decimals = digits.suffix(places)
        while decimals.count > fraction.lowerBound, decimals.last == "0" { decimals.removeLast() }
        decimals += Self.zeros(fraction.lowerBound - decimals.count)
        var whole = String(digits.dropLast(places).drop { $0 == "0" })
        if whole.isEmpty, leastInteger == 0, decimals.isEmpty { whole = "0" }
        whole = Self.zeros(leastInteger - whole.count) + whole
        if let mostInteger { whole = String(whole.suffix(mostInteger)) }
        var text = prefix
        let count = whole.utf8.count
        for (index, digit) in whole.enumerated() {
            if isGrouped, index > 0, (count - index).isMultiple(of: 3) { text += group }
            text.append(digit)
        }
        if !decimals.isEmpty { text += point + decimals }
        let isNegative = scaled < 0 && (whole + decimals).contains { $0 != "0" }
        return (isNegative ? "-" : "") + text + suffix
    }

    private static func zeros(_ count: Int) -> String { String(repeating: "0", count: max(0, count)) }

    /// The fewest decimal digits for a number, which people mean, and the number of digits after the point.
    private static func decimal(_ value: Double) -> (digits: Int, places: Int) {
        let parts = "\(value)".split { $0 == "e" || $0 == "E" }
        let whole = parts[0].prefix { $0 != "." }
        let decimals = parts[0].dropFirst(whole.count + 1)
        let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
        return (Int(whole + decimals) ?? 0, decimals.count - exponent)
    }

    /// A number without its last digits; it has at most 17 digits.
    private func rounded(_ number: Int, without count: Int, isNegative: Bool) -> Int {
        let divisor = (0..<min(count, 18)).reduce(1) { power, _ in power * 10 }
        let (quotient, rest) = number.quotientAndRemainder(dividingBy: divisor)
        let goesUp =
            switch rounding {
            case .up: rest > 0
            case .down: false
            case .ceiling: rest > 0 && !isNegative
            case .floor: rest > 0 && isNegative
            case .halfUp: rest >= divisor - rest
            case .halfDown: rest > divisor - rest
            case .halfEven: rest > divisor - rest || rest == divisor - rest && !quotient.isMultiple(of: 2)
            }
        return goesUp ? quotient + 1 : quotient
    }
}
