/// Names that Prometheus takes.
enum PrometheusName {
    /// A metric's: `[a-zA-Z_:][a-zA-Z0-9_:]*`.
    static func metric(_ text: String) -> String { made(of: text, also: ":") }

    /// A label's: `[a-zA-Z_][a-zA-Z0-9_]*`.
    static func label(_ text: String) -> String { made(of: text, also: "_") }

    private static func made(of text: String, also other: Unicode.Scalar) -> String {
        var name = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let isDigit = ("0"..."9").contains(scalar)
            let isLetter = ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
            if isDigit, name.isEmpty { name.append("_") }
            name.append(isDigit || isLetter || scalar == other ? scalar : "_")
        }
        return name.isEmpty ? "_" : String(name)
    }
}
