public import BacklotJSON

/// What is on the screen.
extension XpediteClient {
    /// The components, from top to bottom; what stands in a scrollview comes after it.
    public var components: [JSONObject] { Self.flat(packet["components"]?.array ?? []) }

    private static func flat(_ components: [JSONValue]) -> [JSONObject] {
        components.compactMap(\.object).flatMap { object -> [JSONObject] in
            object["type"] == "scrollview" ? [object] + flat(object["components"]?.array ?? []) : [object]
        }
    }

    /// The texts of the labels, from top to bottom.
    public var labels: [String] { components.filter { $0["type"] == "label" }.compactMap { $0["text"]?.string } }

    /// The components of a type.
    public func components(_ type: String) -> [JSONObject] {
        components.filter { $0["type"]?.string == type }
    }

    /// The fields of a form, or of the only one.
    public func fields(of form: String? = nil) -> [JSONObject] {
        let form = components("form").first { form == nil || $0["id"]?.string == form }
        return (form?["components"]?.array ?? []).compactMap(\.object)
    }

    /// The navigations on the page, whole: those that came by id alone are the ones that were kept.
    public var menus: [JSONObject] {
        components("navigation").map { navigation in
            guard navigation["implementation"] == nil, let id = navigation["id"]?.string else { return navigation }
            return navigations[id] ?? navigation
        }
    }

    /// The methods from which the tables take their rows.
    var tableMethods: [String] { components("table").compactMap { $0["data"]?["dynamic"]?.string } }

    /// The page as a text, for failures.
    public var screen: String {
        var lines = ["page \(title.map { "\"\($0)\"" } ?? "without a title"), rc \(rc)"]
        for component in components {
            let name = ["text", "name", "id", "title"].lazy.compactMap { component[$0]?.string }.first
            lines.append("  \(component["type"]?.string ?? "?") \(name.map { "\"\($0)\"" } ?? "")")
            guard component["type"] == "form" else { continue }
            for field in (component["components"]?.array ?? []).compactMap(\.object) {
                let label = field["title"]?.string ?? ""
                lines.append("    \(field["type"]?.string ?? "?") \(field["name"]?.string ?? "") \"\(label)\"")
            }
        }
        for table in tables.sorted(by: { $0.key < $1.key }) {
            lines.append("  \(table.key): \(table.value.rows.count) rows\(table.value.hasMore ? " and more" : "")")
        }
        lines += tappables.map { "  can be tapped: \"\($0.text)\"" }
        return lines.joined(separator: "\n")
    }
}
