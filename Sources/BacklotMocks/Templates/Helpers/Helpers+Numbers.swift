import BacklotJSON

/// Numbers.
extension TemplateHelper {
    static let numbers: [TemplateHelper] = [
        TemplateHelper("math", 3...3, block: .none, math), TemplateHelper("maths", 3...3, block: .none, math),
        TemplateHelper("isOdd", 1...2, block: .none) { arguments, _ in
            arguments[0].int?.isMultiple(of: 2) == false
                ? arguments[1].isMissing ? .text("odd") : arguments[1] : .text("")
        },
        TemplateHelper("isEven", 1...2, block: .none) { arguments, _ in
            arguments[0].int?.isMultiple(of: 2) == true
                ? arguments[1].isMissing ? .text("even") : arguments[1] : .text("")
        },
        TemplateHelper("stripes", 3...3, block: .none) { arguments, _ in
            arguments[0].int?.isMultiple(of: 2) == true ? arguments[1] : arguments[2]
        },
    ]

    static let formats: [TemplateHelper] = [
        TemplateHelper(
            "numberFormat",
            1...3,
            named: [
                "groupingUsed", "maximumFractionDigits", "minimumFractionDigits", "maximumIntegerDigits",
                "minimumIntegerDigits", "roundingMode",
            ],
            block: .none
        ) { arguments, _ in
            guard let number = arguments[0].number else { return .failed("\(arguments[0].text.shown) is no number") }
            var format = NumberFormat(arguments[1].isMissing ? "number" : arguments[1].text, locale: arguments[2].text)
            if let isGrouped = arguments.flag("groupingUsed") { format.isGrouped = isGrouped }
            let digits = 0...40
            func count(_ name: String) -> Int? { arguments[name].int.flatMap { digits.contains($0) ? $0 : nil } }
            if let most = count("maximumFractionDigits") {
                format.fraction = min(format.fraction.lowerBound, most)...most
            }
            if let least = count("minimumFractionDigits") {
                format.fraction = least...max(least, format.fraction.upperBound)
            }
            if let least = count("minimumIntegerDigits") { format.leastInteger = least }
            format.mostInteger = count("maximumIntegerDigits")
            if !arguments["roundingMode"].isMissing {
                let name = arguments["roundingMode"].text
                guard let mode = NumberFormat.Rounding(rawValue: name.lowercased()) else {
                    return .failed("\(name.shown) is no rounding mode; write one such as half_up")
                }
                format.rounding = mode
            }
            return .text(format.text(number))
        }
    ]

    /// A number, whole if it has no fraction.
    static func number(_ value: Double) -> TemplateValue {
        JSONNumber(value).map { .json(.number($0)) } ?? .failed("the result is no number")
    }

    @Sendable private static func math(
        _ arguments: TemplateArguments,
        _ run: inout TemplateRun
    ) throws(TemplateTooLarge) -> TemplateValue {
        let sign = arguments[1].text
        if let left = arguments[0].int, let right = arguments[2].int {
            let result: (partialValue: Int, overflow: Bool)
            switch sign {
            case "+": result = left.addingReportingOverflow(right)
            case "-": result = left.subtractingReportingOverflow(right)
            case "*", "x": result = left.multipliedReportingOverflow(by: right)
            case "/":
                guard right != 0 else { return .failed("\(left) can't be divided by 0") }
                // WireMock rounds the quotient of two whole numbers, halves away from 0.
                let (quotient, rest) = left.quotientAndRemainder(dividingBy: right)
                let isHalf = rest.magnitude >= right.magnitude - rest.magnitude
                result = (quotient + (isHalf && rest != 0 ? (left < 0) == (right < 0) ? 1 : -1 : 0), false)
            case "%":
                guard right != 0 else { return .failed("\(left) can't be divided by 0") }
                result = (left % right, false)
            default: return .failed("\(sign.shown) is not known to math; write '+', '-', '*', '/' or '%'")
            }
            return result.overflow ? .failed("the result is too large") : .int(result.partialValue)
        }
        guard let left = arguments[0].number, let right = arguments[2].number else {
            let wrong = arguments[arguments[0].number == nil ? 0 : 2]
            return .failed("\(wrong.text.shown) is no number")
        }
        switch sign {
        case "+": return rounded(left + right)
        case "-": return rounded(left - right)
        case "*", "x": return rounded(left * right)
        case "/": return right == 0 ? .failed("\(left) can't be divided by 0") : number(left / right)
        case "%":
            return right == 0
                ? .failed("\(left) can't be divided by 0") : rounded(left.truncatingRemainder(dividingBy: right))
        default: return .failed("\(sign.shown) is not known to math; write '+', '-', '*', '/' or '%'")
        }
    }

    /// Without the last digits, which are those of binary fractions: 0.1 + 0.2 is 0.3.
    static func rounded(_ value: Double) -> TemplateValue {
        guard value.magnitude < 1e9 else { return number(value) }
        return number((value * 1e9).rounded() / 1e9)
    }
}

/// How a number is written: by name, or by a pattern of Java's `DecimalFormat` such as `#,##0.00`.
struct NumberFormat {
    enum Rounding: String {
        case up, down, ceiling, floor
        case halfUp = "half_up"
        case halfDown = "half_down"
        case halfEven = "half_even"
    }

    var fraction = 0...3
    var leastInteger = 1
    var mostInteger: Int?
    var isGrouped = true
    var rounding = Rounding.halfEven
    private var prefix = ""
    private var suffix = ""
    private var factor = 1.0
    private var group = ","
    private var point = "."

    init(_ format: String, locale: String) {
        let language = locale.prefix { $0 != "_" && $0 != "-" }.lowercased()
        if language == "de" { (group, point) = (".", ",") }
        switch format {
        case "number": break
        case "integer": fraction = 0...0
        case "percent": (fraction, factor, suffix) = (0...0, 100, language == "de" ? "\u{A0}%" : "%")
        case "currency":
            fraction = 2...2
            let country = locale.split { $0 == "_" || $0 == "-" }.dropFirst().first.map(String.init) ?? ""
            switch country {
            case "GB": prefix = "£"
            case "DE", "AT", "FR", "ES", "IT", "NL", "IE":
                (prefix, suffix) = language == "de" ? ("", "\u{A0}€") : ("€", "")
            default: prefix = "$"
            }
        default: read(pattern: format)
        }
    }

    private mutating func read(pattern: String) {
        let body = pattern.drop { !"#0,.".contains($0) }
        prefix = String(pattern[..<body.startIndex])
        let number = body.prefix { "#0,.".contains($0) }
        suffix = String(body[number.endIndex...])
        let parts = number.split(separator: ".", omittingEmptySubsequences: false)
        let whole = parts.first ?? ""
        let decimals = parts.count > 1 ? parts[1] : ""
        isGrouped = whole.contains(",")
        leastInteger = whole.count { $0 == "0" }
        fraction = decimals.count { $0 == "0" }...min(40, max(decimals.count, decimals.count { $0 == "0" }))
        if suffix.contains("%") || prefix.contains("%") { factor = 100 }
    }

    func text(_ value: Double) -> String {
        let scaled = value * factor
        guard scaled.magnitude < 1e15 else { return "\(scaled)" }
        // The shortest decimal digits that stand for the number, which people mean.
        var (whole, decimals) = Self.digits(scaled.magnitude)
        round(&whole, &decimals, isNegative: scaled < 0)
        while decimals.count > fraction.lowerBound, decimals.last == 0 { decimals.removeLast() }
        while decimals.count < fraction.lowerBound { decimals.append(0) }
        while whole.count > 1, whole.first == 0 { whole.removeFirst() }
        if whole == [0], leastInteger == 0, !decimals.isEmpty { whole = [] }
        while whole.count < leastInteger { whole.insert(0, at: 0) }
        if let mostInteger, whole.count > mostInteger { whole.removeFirst(whole.count - mostInteger) }
        var text = ""
        for (index, digit) in whole.enumerated() {
            if isGrouped, index > 0, (whole.count - index).isMultiple(of: 3) { text += group }
            text += "\(digit)"
        }
        if !decimals.isEmpty { text += point + decimals.map { "\($0)" }.joined() }
        let isZero = whole.allSatisfy { $0 == 0 } && decimals.allSatisfy { $0 == 0 }
        return (scaled < 0 && !isZero ? "-" : "") + prefix + text + suffix
    }

    private static func digits(_ value: Double) -> (whole: [Int], decimals: [Int]) {
        var text = "\(value)"
        var exponent = 0
        if let mark = text.firstIndex(where: { $0 == "e" || $0 == "E" }) {
            exponent = Int(text[text.index(after: mark)...]) ?? 0
            text = String(text[..<mark])
        }
        let parts = text.split(separator: ".")
        var whole = (parts.first ?? "0").compactMap(\.wholeNumberValue)
        var decimals = parts.count > 1 ? parts[1].compactMap(\.wholeNumberValue) : []
        while exponent > 0 {
            whole.append(decimals.isEmpty ? 0 : decimals.removeFirst())
            exponent -= 1
        }
        while exponent < 0 {
            decimals.insert(whole.popLast() ?? 0, at: 0)
            exponent += 1
        }
        return (whole.isEmpty ? [0] : whole, decimals)
    }

    private func round(_ whole: inout [Int], _ decimals: inout [Int], isNegative: Bool) {
        let most = fraction.upperBound
        guard decimals.count > most else { return }
        let rest = decimals[most...]
        decimals = Array(decimals[..<most])
        guard rest.contains(where: { $0 != 0 }) else { return }
        let isHalf = rest.first == 5 && rest.dropFirst().allSatisfy { $0 == 0 }
        let isAbove = (rest.first ?? 0) >= 5 && !isHalf
        let last = decimals.last ?? whole.last ?? 0
        let goesUp =
            switch rounding {
            case .up: true
            case .down: false
            case .ceiling: !isNegative
            case .floor: isNegative
            case .halfUp: isAbove || isHalf
            case .halfDown: isAbove
            case .halfEven: isAbove || isHalf && !last.isMultiple(of: 2)
            }
        guard goesUp else { return }
        var index = decimals.count - 1
        while index >= 0, decimals[index] == 9 {
            decimals[index] = 0
            index -= 1
        }
        if index >= 0 { return decimals[index] += 1 }
        index = whole.count - 1
        while index >= 0, whole[index] == 9 {
            whole[index] = 0
            index -= 1
        }
        if index >= 0 { whole[index] += 1 } else { whole.insert(1, at: 0) }
    }
}
