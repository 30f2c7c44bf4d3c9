import BacklotJSON

/// Rows of data.
extension TemplateHelper {
    static let rows: [TemplateHelper] = [
        // {{#with (find data.goods 'id' path.id)}}: the first row whose member has a value, as text.
        TemplateHelper("find", 3...3, block: .none) { arguments, run throws(TemplateTooLarge) in
            guard let elements = arguments[0].elements else {
                return .failed("find takes a list, a member's name and its value")
            }
            try run.output.spend(elements.count)
            let names = TemplatePath.words(arguments[1].text)
            let wanted = arguments[2].text
            let row = elements.first { TemplateContext.follow(names[...], from: .json($0)).text == wanted }
            return row.map(TemplateValue.json) ?? .missing
        }
    ]
}
