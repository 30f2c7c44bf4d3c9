/// Writes metrics in Prometheus' text format.
struct PrometheusText {
    private(set) var text = ""

    mutating func write(_ family: MetricFamily, help: String?) {
        let name = family.name
        if let help { text += "# HELP \(name) \(Self.escaped(help, quotes: false))\n" }
        text += "# TYPE \(name) \(family.kind.type)\n"
        for (values, series) in family.series.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            let labels = zip(family.labelNames, values).map { "\($0)=\"\(Self.escaped($1, quotes: true))\"" }
            switch series {
            case .counter(let counter): write(name, labels, counter.value)
            case .gauge(let gauge): write(name, labels, gauge.value)
            case .histogram(let histogram): write(name, labels, histogram)
            }
        }
    }

    private mutating func write(_ name: String, _ labels: [String], _ histogram: PrometheusHistogram) {
        let values = histogram.values
        var count = 0
        for (index, inBucket) in values.buckets.enumerated() {
            count += inBucket
            let bound = index < histogram.bounds.count ? Self.number(histogram.bounds[index]) : "+Inf"
            write("\(name)_bucket", labels + ["le=\"\(bound)\""], Double(count))
        }
        write("\(name)_sum", labels, values.sum)
        write("\(name)_count", labels, Double(count))
    }

    private mutating func write(_ name: String, _ labels: [String], _ value: Double) {
        text += name
        if !labels.isEmpty { text += "{\(labels.joined(separator: ","))}" }
        text += " \(Self.number(value))\n"
    }

    private static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
        return Int64(exactly: value).map(String.init) ?? "\(value)"
    }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\"" where quotes: escaped += "\\\""
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }
}

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
