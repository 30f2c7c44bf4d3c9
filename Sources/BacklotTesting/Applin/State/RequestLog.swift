/// The requests that a client has made, as far as it remembers them. A value without I/O.
///
/// It is bounded in number and in bytes: the first ones are forgotten, but the last one never.
struct RequestLog: Sendable {
    private let maximumCount: Int
    private let maximumBytes: Int
    private var bytes = 0
    /// The requests, the last one at the end.
    private(set) var records: [RequestRecord] = []

    /// An empty log.
    ///
    /// - Parameters:
    ///   - maximumCount: how many requests are remembered, at least 1.
    ///   - maximumBytes: how many bytes the bodies of requests and answers may have together.
    init(maximumCount: Int = 1000, maximumBytes: Int = 64 * 1024 * 1024) {
        self.maximumCount = maximumCount
        self.maximumBytes = maximumBytes
    }

    /// Adds a request.
    mutating func append(_ record: RequestRecord) {
        records.append(record)
        bytes += record.bodyBytes
        var first = 0
        while first < records.count - 1, records.count - first > maximumCount || bytes > maximumBytes {
            bytes -= records[first].bodyBytes
            first += 1
        }
        records.removeFirst(first)
    }
}

extension RequestRecord {
    fileprivate var bodyBytes: Int { request.body.count + (response?.body.count ?? 0) }
}
