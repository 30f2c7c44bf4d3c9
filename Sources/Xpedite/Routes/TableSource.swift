public import BacklotJSON

/// A row of a table: its fields. The columns show some of them.
public typealias TableRow = JSONObject

/// The origin of a table's rows. The server requests one batch at a time, so the size of the source doesn't matter.
public protocol TableSource: Sendable {
    /// The rows from `offset` on, at most `limit`. Fewer rows mean that these are the last.
    ///
    /// - Parameters:
    ///   - offset: the number of rows to skip; 0 or more.
    ///   - limit: the number of rows to return, one more than the client shows.
    ///   - call: the call, with its session and parameters.
    func rows(offset: Int, limit: Int, for call: Call) async throws -> [TableRow]
}

/// A source that is a function.
struct FunctionSource: TableSource {
    let function: @Sendable (Int, Int, Call) async throws -> [TableRow]

    func rows(offset: Int, limit: Int, for call: Call) async throws -> [TableRow] {
        try await function(offset, limit, call)
    }
}

extension TableSource {
    /// Responds with the next rows after the rows that the client has.
    func response(to call: Call, batch: Int) async throws -> MethodResponse {
        let offset = try call.offset
        let found = try await rows(offset: offset, limit: batch + 1, for: call)
        guard found.count > batch else { return .rows(found, max: nil) }
        let max =
            switch call.readings.max {
            case .batchSize: batch
            case .rowsSoFar: offset + batch
            }
        return .rows(Array(found.prefix(batch)), max: max)
    }
}

extension Call {
    /// The number of the table's rows that the client has. Each packet contains it. After the user pulls down, it is 0 again.
    var offset: Int {
        get throws {
            for key in readings.offsetKeys {
                guard let value = parameter(key), !value.isNull else { continue }
                guard let offset = value.number?.int64.map({ Int($0) }) ?? value.string.flatMap({ Int($0) }),
                    (0...Int.max / 2).contains(offset)
                else { throw InputError(name: key, problem: "must be a whole number, 0 or more") }
                return offset
            }
            return 0
        }
    }
}
