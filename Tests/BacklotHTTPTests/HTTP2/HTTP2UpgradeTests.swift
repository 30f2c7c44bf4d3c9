import Testing

@testable import BacklotHTTP

@Suite(.timeLimit(.minutes(5))) struct HTTP2UpgradeTests {
    private static func upgrade(_ fields: String..., line: String = "GET / HTTP/1.1") throws -> HTTP2Upgrade? {
        var parser = HeadParser(limits: .init())
        let head = ([line, "Host: h"] + fields).map { $0 + "\r\n" }.joined() + "\r\n"
        return HTTP2Upgrade(try #require(try parser.parse(head.utf8.span)))
    }

    @Test func aRequestThatAsks() throws {
        let upgrade = try Self.upgrade(
            "Connection: Upgrade, HTTP2-Settings",
            "Upgrade: h2c",
            "HTTP2-Settings: AAMAAABk"
        )
        #expect(upgrade?.settings == [0, 3, 0, 0, 0, 100])
        #expect(try Self.upgrade("Connection: x,upgrade ,http2-settings", "Upgrade: a, H2C", "HTTP2-Settings:") != nil)
    }

    @Test func requestsThatDoNot() throws {
        let (connection, upgrade, settings) = (
            "Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABk"
        )
        #expect(try Self.upgrade() == nil)
        #expect(try Self.upgrade(connection, settings) == nil)
        #expect(try Self.upgrade(connection, "Upgrade: h2", settings) == nil)
        #expect(try Self.upgrade(connection, "Upgrade: websocket", settings) == nil)
        #expect(try Self.upgrade(connection, upgrade) == nil)
        #expect(try Self.upgrade(connection, upgrade, settings, settings) == nil)
        #expect(try Self.upgrade(connection, upgrade, "HTTP2-Settings: AAMAAABk==") == nil)
        #expect(try Self.upgrade("Connection: Upgrade", upgrade, settings) == nil)
        #expect(try Self.upgrade("Connection: HTTP2-Settings", upgrade, settings) == nil)
        #expect(try Self.upgrade(connection, upgrade, settings, line: "GET / HTTP/1.0") == nil)
    }

    /// The client could not know where its body ends: before the first frame, or in frames.
    @Test(arguments: ["Content-Length: 1", "Transfer-Encoding: chunked"])
    func neverWithABody(_ field: String) throws {
        let upgrade = try Self.upgrade(
            "Connection: Upgrade, HTTP2-Settings",
            "Upgrade: h2c",
            "HTTP2-Settings: AAMAAABk",
            field,
            line: "POST / HTTP/1.1"
        )
        #expect(upgrade == nil)
    }
}
