/// Something that a user has written down.
struct Note: Sendable, Equatable, Identifiable {
    /// The most characters that a note can have.
    static let maximumLength = 2000

    /// No other note has it, not even after the server was started anew: clients keep variables by it.
    let id: String
    /// The user whose note it is.
    let owner: String
    var text = ""
    /// How often it has been saved; 0 for one that was begun and never was.
    var version = 0
    /// When it was saved last, for people.
    var changed = ""

    /// The first line that has something in it.
    var title: String {
        let line = text.split(separator: "\n").first { !String($0).isBlank } ?? "Untitled"
        return line.count > 40 ? line.prefix(39) + "…" : String(line)
    }
}
