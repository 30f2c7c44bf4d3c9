import HTTPTypes
import Testing

@testable import BacklotClients

/// A client's log of its requests.
@Suite(.timeLimit(.minutes(5))) struct ExchangeLogTests {
    private func record(_ path: String, sent: Int = 0, received: Int = 0) throws -> RequestRecord {
        RequestRecord(
            request: ClientRequest(.put, try HTTPURL("http://localhost/"), body: [UInt8](repeating: 1, count: sent)),
            path: path,
            isBackground: false,
            redirects: [],
            result: .success(ClientResponse(status: .ok, body: [UInt8](repeating: 2, count: received)))
        )
    }

    @Test func `Of too many the first are forgotten`() throws {
        var log = ExchangeLog(maximumCount: 2, maximumBytes: 100)
        for path in ["/1", "/2", "/3"] { log.append(try record(path)) }
        #expect(log.records.map(\.path) == ["/2", "/3"])
    }

    @Test func `Of too many bytes the first are forgotten, what was sent counts too`() throws {
        var log = ExchangeLog(maximumCount: 10, maximumBytes: 100)
        log.append(try record("/1", sent: 30))
        log.append(try record("/2", received: 30))
        log.append(try record("/3", sent: 40))
        #expect(log.records.map(\.path) == ["/1", "/2", "/3"])
        log.append(try record("/4", received: 31))
        #expect(log.records.map(\.path) == ["/3", "/4"])
        log.append(try record("/5"))
        #expect(log.records.map(\.path) == ["/3", "/4", "/5"])
    }

    @Test func `The last one is there whatever its size`() throws {
        var log = ExchangeLog(maximumCount: 10, maximumBytes: 100)
        log.append(try record("/1"))
        log.append(try record("/2", received: 1000))
        #expect(log.records.map(\.path) == ["/2"])
        log.append(try record("/3"))
        #expect(log.records.map(\.path) == ["/3"])
    }
}
