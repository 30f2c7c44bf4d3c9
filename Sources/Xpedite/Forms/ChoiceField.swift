import Backlot
import BacklotJSON

/// A field with options to choose one of. Clients show them sorted by key: `"10"` stands before `"2"`.
///
/// Source: Xpedite API reference, options.
public protocol ChoiceField: FormField {
    /// What is shown for each key.
    var options: [String: String] { get }
    /// The text beside the field.
    var title: String? { get set }
    /// The key that is chosen.
    var value: String? { get set }
}

extension ChoiceField {
    /// Shows a text beside the field.
    public consuming func title(_ title: String?) -> Self {
        self.title = title
        return consume self
    }

    /// Chooses an option, by its key.
    public consuming func value(_ key: String?) -> Self {
        self.value = key
        return consume self
    }

    /// Writes the field as one JSON object, with its options in the order in which they are shown.
    func write(into writer: inout JSONWriter) {
        writer.component(self) {
            $0.field("name", name)
            $0.field("title", title)
            $0.field("value", value)
            $0.object("options") { writer in
                for key in options.keys.sorted() { writer.member(key, .string(options[key] ?? "")) }
            }
        }
    }
}

extension WireReader {
    func options() throws(WireError) -> [String: String] {
        guard let reader = try reader("options") else { throw error("options", "is missing") }
        var options: [String: String] = [:]
        for key in reader.object.keys {
            options[key] = try reader.required(key, try reader.string(key))
        }
        return options
    }
}
