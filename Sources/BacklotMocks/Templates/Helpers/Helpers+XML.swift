/// Parts of XML documents.
extension TemplateHelper {
    static let xml: [TemplateHelper] = [
        TemplateHelper("xPath", 2...2, block: .none, preparation: .xPath(1)) {
            arguments,
            run throws(TemplateTooLarge) in
            if case .xPath(let path) = arguments.call.prepared {
                return try follow(path, in: arguments[0].text, &run)
            }
            return try follow(arguments[1].text, in: arguments[0].text, &run)
        },
        TemplateHelper("soapXPath", 2...2, block: .none) { arguments, run throws(TemplateTooLarge) in
            try follow("/Envelope/Body\(arguments[1].text)", in: arguments[0].text, &run)
        },
    ]

    private static func follow(
        _ source: String,
        in text: String,
        _ run: inout TemplateRun
    ) throws(TemplateTooLarge) -> TemplateValue {
        let path: XPath
        do throws(XMLProblem) {
            path = try XPath(source)
        } catch {
            return .failed("\(source.shown) is not a valid XPath expression: \(error.text)")
        }
        return try follow(path, in: text, &run)
    }

    private static func follow(
        _ path: XPath,
        in text: String,
        _ run: inout TemplateRun
    ) throws(TemplateTooLarge) -> TemplateValue {
        guard !text.isEmpty else { return .missing }
        // Parsing takes far longer than copying.
        try run.output.spend(1000 + text.utf8.count * 8)
        let value: XPath.Value
        do throws(XMLProblem) {
            value = try path.values(inText: text)
        } catch {
            if error.isGivenUp { try run.output.spend(.max) }
            return .failed("\(text.shown) is not valid XML: \(error)")
        }
        switch value {
        case .nodes(let nodes): return nodes.isEmpty ? .missing : .nodes(nodes)
        case .text(let text): return .text(text)
        case .number(let value): return value.isNaN ? .text("NaN") : number(value)
        case .bool(let value): return .bool(value)
        }
    }
}
