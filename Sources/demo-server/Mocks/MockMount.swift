/// Where the demo has its mock routes.
enum MockMount {
    /// The path of their base URL.
    static let path = "/mock/"
}
