/// Reads steps written as calls, the form that `explore` and tests use: `tap("New Account", number: 2)`.
extension LoadStep {
    /// Reads a call; nil if it isn't a step.
    init?(call: String) {
        var reader = CallReader(call)
        guard let name = reader.name(), let arguments = reader.arguments() else { return nil }
        self.init(name, arguments)
    }

    /// The step with a name and arguments; nil if the name or the arguments don't fit a step.
    init?(_ name: String, _ arguments: [LoadArgument]) {
        let texts = arguments.compactMap(\.text)
        func isLabelled(_ label: String) -> Bool { arguments.dropFirst().contains { $0.label == label } }
        switch (name, texts.count) {
        case ("launch", 0): self = .launch()
        case ("launch", 1): self = .launch(at: texts[0])
        case ("open", 1): self = .open(at: texts[0])
        case ("relaunch", 0): self = .relaunch(keepsStack: arguments.first?.word != "false")
        case ("tap", 1):
            let number = arguments.first { $0.label == "number" }?.number
            guard number ?? 1 > 0, arguments.count == 1 || number != nil else { return nil }
            self = .tap(texts[0], number: number)
        case ("back", 0): self = .back
        case ("pullToRefresh", 0): self = .pullToRefresh
        case ("check", 1): self = .check(texts[0])
        case ("uncheck", 1): self = .uncheck(texts[0])
        case ("enter", 2) where isLabelled("into"): self = .enter(texts[0], into: texts[1])
        case ("choose", 2) where isLabelled("from"): self = .choose(texts[0], from: texts[1])
        case ("uploadPhoto", 0): self = .uploadPhoto
        case ("cancelPhoto", 0): self = .cancelPhoto
        case ("wander", 0): self = .wander
        case ("wait", 0):
            guard let time = arguments.first?.duration, time >= .milliseconds(1) else { return nil }
            self = .wait(time)
        default: return nil
        }
    }
}

/// An argument of a step.
struct LoadArgument {
    var label = ""
    var text: String?
    var number: Int?
    var word: String?
    var duration: Duration?
}

/// Reads a call with arguments that are texts, integers, words or times.
private struct CallReader {
    private var rest: Substring

    init(_ text: String) { rest = text[...] }

    mutating func name() -> String? {
        let name = rest.prefix { $0.isASCII && $0.isLetter }
        rest = rest.dropFirst(name.count)
        return name.isEmpty ? nil : String(name)
    }

    /// The arguments between parentheses; the closing parenthesis must end the text.
    mutating func arguments() -> [LoadArgument]? {
        guard take("(") else { return nil }
        var arguments: [LoadArgument] = []
        while !take(")") {
            guard arguments.isEmpty || take(", "), let argument = argument() else { return nil }
            arguments.append(argument)
        }
        return rest.isEmpty ? arguments : nil
    }

    private mutating func argument() -> LoadArgument? {
        var argument = LoadArgument()
        let word = rest.prefix { $0.isASCII && $0.isLetter }
        if rest.dropFirst(word.count).hasPrefix(": ") {
            argument.label = String(word)
            rest = rest.dropFirst(word.count + 2)
        }
        if rest.hasPrefix("\"") || rest.hasPrefix(Self.repeating) {
            var text = ""
            repeat {
                guard let part = take(Self.repeating) ? repeated() : self.text(),
                    text.utf8.count + part.utf8.count <= 10_000_000
                else { return nil }
                text += part
            } while take(" + ")
            argument.text = text
        } else if take(".") {
            let units: [String: Duration] = ["seconds": .seconds(1), "milliseconds": .milliseconds(1)]
            guard let unit = name().flatMap({ units[$0] }), take("("), let count = number(), take(")"),
                (0...86_400_000).contains(count)
            else { return nil }
            argument.duration = unit * count
        } else if let number = number() {
            argument.number = number
        } else {
            guard let word = name() else { return nil }
            argument.word = word
        }
        return argument
    }

    /// The beginning of a text that is too long to be written out.
    private static let repeating = "String(repeating: "

    private mutating func repeated() -> String? {
        guard let piece = text(), take(", count: "), let count = number(), (0...1_000_000).contains(count), take(")"),
            piece.utf8.count * count <= 10_000_000
        else { return nil }
        return String(repeating: piece, count: count)
    }

    private mutating func number() -> Int? {
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        rest = rest.dropFirst(digits.count)
        return Int(digits)
    }

    /// A Swift string literal without interpolation.
    private mutating func text() -> String? {
        guard take("\"") else { return nil }
        var text = ""
        while let character = rest.popFirst() {
            switch character {
            case "\"": return text
            case "\\":
                switch rest.popFirst() {
                case "n"?: text.append("\n")
                case "r"?: text.append("\r")
                case "t"?: text.append("\t")
                case "0"?: text.append("\0")
                case "\""?: text.append("\"")
                case "'"?: text.append("'")
                case "\\"?: text.append("\\")
                case "u"?:
                    guard take("{") else { return nil }
                    let digits = rest.prefix { $0.isHexDigit }
                    rest = rest.dropFirst(digits.count)
                    guard let value = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(value), take("}") else {
                        return nil
                    }
                    text.unicodeScalars.append(scalar)
                default: return nil
                }
            default: text.append(character)
            }
        }
        return nil
    }

    private mutating func take(_ prefix: String) -> Bool {
        guard rest.hasPrefix(prefix) else { return false }
        rest = rest.dropFirst(prefix.count)
        return true
    }
}
