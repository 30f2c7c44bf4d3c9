import Applin
import Backlot
import Floki

/// A story while an editor changes it: the inputs of its page.
///
/// Clients keep a variable until they reset all, and show an input's first value only while its variable is unset. So a story gets
/// new variables each time its page is opened. Their names contain the version that the editor began with, which therefore needs no
/// hidden input. A visible field keeps its text, even if a refreshed page has another; so the page keeps naming that version.
struct StoryForm: Sendable {
    /// The maximum numbers of characters of a title and of a text.
    static let mostInTitle = 200
    static let mostInText = 5000

    /// The beginning of the variables' names: the story, and the version that the editor began with.
    let prefix: String
    /// The values of the inputs, by their names without the prefix.
    var values: [String: String]
    /// The values at the beginning.
    private let began: [String: String]
    /// The tags that the story began with.
    private let knownTags: Set<String>

    /// The name of an input that each language has.
    static func title(_ language: String) -> String { "title_\(language)" }
    static func text(_ language: String) -> String { "text_\(language)" }

    /// The inputs of an existing story.
    ///
    /// - Parameters:
    ///   - revisions: the revisions that the editor began with.
    ///   - token: identifies this opening of the page.
    init(_ story: EditorStory, _ revisions: StoryRevisions, token: String) {
        self.init(
            "\(Self.prefix(story.id))\(revisions.numbers.map { "\($0)" }.joined(separator: "_"))_\(token)_",
            story
        ) {
            let first = story.first
            let section = NewspaperApp.sections.first { $0.id == first?.sectionIDs.first } ?? NewspaperApp.sections[0]
            $0["section"] = section.name
            $0["tags"] = (first?.tags ?? []).joined(separator: ", ")
            $0["expires"] = first?.expirationDate.map { EditorTime.input(Int($0.timeIntervalSince1970)) } ?? ""
            let publication = NewspaperApp.languages.lazy.compactMap { story.drafts[$0]?.publication }.first
            if case .scheduled(let time) = publication { $0["publish"] = EditorTime.input(time) }
        }
    }

    /// The inputs of a new story.
    ///
    /// - Parameters:
    ///   - token: identifies the new story.
    ///   - tags: the tags that it begins with.
    ///   - hasTime: whether it may be scheduled.
    init(new token: String, tags: String = "", hasTime: Bool = true) {
        self.init("story_new_\(token)_", nil) {
            $0["tags"] = tags
            if !hasTime { $0["publish"] = nil }
        }
    }

    private init(_ prefix: String, _ story: EditorStory?, _ change: (inout [String: String]) -> Void) {
        var values = ["section": NewspaperApp.sections[0].name, "tags": "", "expires": "", "publish": ""]
        for language in NewspaperApp.languages {
            values[Self.title(language)] = story?.version(language)?.title ?? ""
            values[Self.text(language)] = story?.version(language)?.body ?? ""
        }
        change(&values)
        (self.prefix, self.values, began) = (prefix, values, values)
        knownTags = Set(story?.first?.tags ?? [])
    }

    private static func prefix(_ id: Int) -> String { "story_\(id)_" }

    /// A new token.
    static var newToken: String { String(Int32.random(in: 1 ... .max), radix: 36) }

    /// Whether a text is a token.
    static func isToken(_ text: some StringProtocol) -> Bool { number(ofToken: text) != nil }

    /// The number in a token, from 1 to 2147483647; nil for any other text.
    static func number(ofToken text: some StringProtocol) -> Int? {
        Int32(text, radix: 36).flatMap { $0 > 0 ? Int($0) : nil }
    }

    /// The version that the editor of a story began with, and the token of the page, if the client sends the inputs.
    static func start(in variables: Variables, of id: Int) -> (revisions: StoryRevisions, token: String)? {
        let count = NewspaperApp.languages.count
        guard let parts = start(in: variables, after: prefix(id), count),
            let revisions = StoryRevisions(parts[..<count].joined(separator: "-"))
        else { return nil }
        return (revisions, parts[count])
    }

    /// The token of a new story's page, if the client sends the inputs.
    static func newStart(in variables: Variables) -> String? { start(in: variables, after: "story_new_", 0)?[0] }

    /// The parts of a variable's name after its prefix: some numbers, a token, and the name of an input that each page has.
    private static func start(in variables: Variables, after prefix: String, _ count: Int) -> [String]? {
        variables.object.keys.lazy.filter { $0.hasPrefix(prefix) }
            .map { $0.dropFirst(prefix.count).split(separator: "_", omittingEmptySubsequences: false).map(String.init) }
            .first { $0.count == count + 2 && $0[count + 1] == "section" && isToken($0[count]) }
    }

    /// Reads the inputs of the story that a client has sent.
    ///
    /// - Throws: `VariableError` with 400 for inputs that are missing.
    mutating func read(_ variables: Variables) throws {
        for name in values.keys { values[name] = try variables.value(prefix + name, as: String.self) }
    }

    subscript(name: String) -> String { values[name] ?? "" }

    /// The input without surrounding blanks.
    func trimmed(_ name: String) -> String {
        self[name].withoutBlanks
    }

    /// The languages that the story is written in.
    var languages: [String] { NewspaperApp.languages.filter { !trimmed(Self.title($0)).isEmpty } }

    /// The tags, each once. The tags that the story began with don't change.
    var tags: [String] {
        var seen: Set<String> = []
        let tags = self["tags"].split(separator: ",").map { $0.split(whereSeparator: \.isWhitespace) }
        return tags.map { words in
            let text = words.joined(separator: " ")
            return knownTags.contains(text) ? text : words.joined(separator: "-")
        }
        .filter { !$0.isEmpty && seen.insert($0).inserted }
    }

    /// Whether an input has changed since the beginning.
    private func isChanged(_ name: String) -> Bool { self[name] != began[name] }

    /// The mistakes in the inputs, by name, in the order of the form.
    ///
    /// - Parameters:
    ///   - time: whether the story is scheduled.
    ///   - now: seconds since 1970.
    func mistakes(waiting time: Bool, now: Int) -> FormErrors {
        var mistakes = FormErrors()
        for language in NewspaperApp.languages {
            let (title, text) = (Self.title(language), Self.text(language))
            for (field, most) in [(title, Self.mostInTitle), (text, Self.mostInText)] {
                // A character may have any number of bytes.
                let isTooLong = self[field].count > most || self[field].utf8.count > 8 * most
                if isTooLong { mistakes[field] = Self.tooLong(self[field], most) }
            }
            if trimmed(title).isEmpty, !trimmed(text).isEmpty { mistakes[title] = "Write a title for this text." }
        }
        if languages.isEmpty, mistakes.isEmpty {
            mistakes[Self.title(NewspaperApp.languages[0])] = "Write a title in one language at least."
        }
        if !NewspaperApp.sections.contains(where: { $0.name == self["section"] }) {
            mistakes["section"] = "Choose one of the sections."
        }
        let newTags = isChanged("tags") ? tags.filter { !knownTags.contains($0) } : []
        if !newTags.isEmpty, tags.count > 10 { mistakes["tags"] = "Write at most 10 tags." }
        if newTags.contains(where: { $0.count > 40 || !$0.allSatisfy(Self.isTag) }) {
            mistakes["tags"] = "Write words with commas between them: letters, digits and hyphens, at most 40 each."
        }
        mistakes["expires"] = Self.mistake(trimmed("expires"), isNeeded: false, now)
        mistakes["publish"] = Self.mistake(trimmed("publish"), isNeeded: time, now)
        if mistakes["expires"] == nil, mistakes["publish"] == nil, time,
            let end = EditorTime.time(trimmed("expires")), let start = EditorTime.time(trimmed("publish")), end <= start
        {
            mistakes["expires"] = "The story would end before it is published."
        }
        return mistakes
    }

    private static func tooLong(_ text: String, _ limit: Int) -> String {
        let size = text.count > limit ? "\(text.count)" : "\(text.utf8.count) bytes, and \(8 * limit) fit"
        return "Write at most \(limit) characters; these are \(size)."
    }

    private static func isTag(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "-"
    }

    private static func mistake(_ text: String, isNeeded: Bool, _ now: Int) -> String? {
        if text.isEmpty { return isNeeded ? "Write when to publish, such as \(EditorTime.form), in UTC." : nil }
        guard let time = EditorTime.time(text) else { return "Write a time such as \(EditorTime.form), in UTC." }
        if time > Int(Int32.max) { return "Write a time before 2038." }
        return time > now ? nil : "This time has passed: it is \(EditorTime.text(now))."
    }

    /// The story in a language, according to the inputs.
    ///
    /// - Parameters:
    ///   - id: the id of a new story.
    ///   - earlier: the stored story. Its properties without inputs don't change.
    func item(_ language: String, id: Int, _ earlier: Item?) -> Item {
        let (title, body) = (trimmed(Self.title(language)), trimmed(Self.text(language)))
        var item = earlier ?? Floki.item(id, title, body).shareURL("https://gazette.example/stories/\(id)")
        let isNew = earlier == nil
        let tags = isNew || isChanged("tags") ? self.tags : item.tags
        let hasNewPage = item.title != title || item.body != body || item.tags != tags
        (item.title, item.body, item.tags) = (title, body, tags)
        // Inputs show less than a story may have: only its first section, minutes instead of seconds, and the same values for all
        // languages.
        if isNew || isChanged("section") {
            item.sectionIDs = NewspaperApp.sections.filter { $0.name == self["section"] }.map(\.id)
        }
        if isNew || isChanged("expires") {
            item.expirationDate = EditorTime.time(trimmed("expires")).map { Date(timeIntervalSince1970: Double($0)) }
        }
        // A page from a script stays until its story changes.
        if item.controller == nil, hasNewPage || item.page == nil { item.page = NewspaperStock.page(body, tags) }
        return item
    }

    // MARK: Widgets

    /// The inputs in their order.
    ///
    /// - Parameter mistakes: by the names of the inputs.
    @WidgetListBuilder func widgets(_ mistakes: FormErrors) -> [any Widget] {
        for language in NewspaperApp.languages {
            let name = NewspaperApp.name(ofLanguage: language)
            field(Self.title(language), "\(name) title", mistakes).autoCapitalize(.sentences).maxLines(1)
                .maxChars(Self.mostInTitle)
            field(Self.text(language), "\(name) text", mistakes).autoCapitalize(.sentences).maxChars(Self.mostInText)
        }
        selector(
            "Section",
            varName: prefix + "section",
            options: NewspaperApp.sections.map(\.name),
            initialValue: self["section"]
        )
        .error(mistakes["section"])
        field("tags", "Tags, with commas between them", mistakes).maxLines(1)
        field("expires", "Ends at, such as \(EditorTime.form) in UTC", mistakes).maxLines(1)
        if values["publish"] != nil {
            field("publish", "Published at, such as \(EditorTime.form) in UTC", mistakes).maxLines(1)
        }
    }

    private func field(_ name: String, _ label: String, _ mistakes: FormErrors) -> TextField {
        textfield(label, varName: prefix + name).initialValue(self[name]).error(mistakes[name])
    }
}
