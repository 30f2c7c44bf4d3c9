/// A place on a page, for people (`/new_account › scroll › form › textfield "username"`) and for programs (a JSON pointer).
public struct FindingPath: Hashable, Sendable, CustomStringConvertible {
    /// The page's path below the app's base URL, such as `/new_account`.
    public let page: String
    /// The way from the page down to the place: what each part is, with its name in quotes where it has one, and a number
    /// where parts beside it look the same (`text "Hello" #2`). None: the page itself.
    public let steps: [String]
    /// The place in the JSON document, such as `/page/widget/widgets/0` (RFC 6901). Empty: the whole document.
    public let pointer: String
    /// The line of the file, from 1; nil for a page that came from none.
    public internal(set) var line: Int?

    /// A place on a page.
    public init(page: String, steps: [String] = [], pointer: String = "", line: Int? = nil) {
        self.page = page
        self.steps = steps
        self.pointer = pointer
        self.line = line
    }

    /// The page and the steps, joined by `›`.
    public var description: String {
        ([page] + steps).joined(separator: " › ")
    }
}
