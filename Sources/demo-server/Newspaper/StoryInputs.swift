import Applin
import Backlot

/// The inputs of a story on a page.
struct StoryInputs: Sendable {
    let form: StoryForm
    /// By the names of the inputs.
    var mistakes: [String: String] = [:]
    /// Whether the story may wait for its time.
    var hasTime = true

    /// The inputs in their order.
    @WidgetListBuilder var widgets: [any Widget] {
        for language in GazetteApp.languages {
            let name = GazetteApp.name(ofLanguage: language)
            field(StoryForm.title(language), "\(name) title").autoCapitalize(.sentences).maxLines(1)
                .maxChars(StoryForm.mostInTitle)
            field(StoryForm.text(language), "\(name) text").autoCapitalize(.sentences).maxChars(StoryForm.mostInText)
        }
        selector(form.prefix + "section", options: GazetteApp.sections.map(\.name), initialString: form["section"])
            .label("Section").error(mistakes["section"])
        field("tags", "Tags, with commas between them").maxLines(1)
        field("expires", "Ends at, such as \(DeskTime.form) in UTC").maxLines(1)
        if hasTime { field("publish", "Published at, such as \(DeskTime.form) in UTC").maxLines(1) }
    }

    private func field(_ name: String, _ label: String) -> TextField {
        textfield(form.prefix + name).label(label).initialString(form[name]).error(mistakes[name])
    }
}
