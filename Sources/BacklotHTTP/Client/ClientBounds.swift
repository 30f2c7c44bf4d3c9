/// How much a client takes, and how long it waits.
package struct ClientBounds: Sendable {
    /// The largest head, in bytes.
    package var head: Int
    /// The largest body, in bytes.
    package var body: Int
    /// The longest wait for the connection, or for the next bytes, in milliseconds.
    package var idle: Int64
    /// The longest time for the whole exchange, in milliseconds.
    package var total: Int64

    package init(head: Int, body: Int, idle: Int64, total: Int64) {
        self.head = head
        self.body = body
        self.idle = idle
        self.total = total
    }
}
