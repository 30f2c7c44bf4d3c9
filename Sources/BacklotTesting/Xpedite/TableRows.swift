public import BacklotJSON

/// The rows of a table that a client has.
public struct TableRows: Sendable {
    /// The rows, from the first.
    public internal(set) var rows: [JSONObject] = []
    /// Whether the server has more.
    public internal(set) var hasMore = false
}
