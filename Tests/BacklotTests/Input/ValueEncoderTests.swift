import FoundationEssentials
import Testing

@testable import Backlot

/// Values of an app as JSON, and back.
@Suite(.timeLimit(.minutes(5))) struct ValueEncoderTests {
    private enum Plan: String, Codable, Equatable { case small, large }

    private struct Inner: Codable, Equatable {
        var b = 1
        var a: [Int]? = [1, 2]
    }

    private struct Value: Codable, Equatable {
        enum CodingKeys: String, CodingKey {
            case z, plan, missing, inner, list, map, price, day, url, big, small, ratio
            case isOn = "is_on"
        }
        var z = "é\"\n"
        var plan = Plan.large
        var missing: Int?
        var inner = Inner()
        var list = [Inner(b: 2, a: nil), Inner(b: 3, a: [])]
        var map = ["k": 1]
        var price = Decimal(string: "12.50")
        var day = Date(timeIntervalSince1970: 0)
        var url = URL(string: "https://example.com/a")
        var big = UInt64.max
        var small = Int8.min
        var ratio: Float = 0.5
        var isOn = false
    }

    @Test func `Members are written in the order in which they are encoded`() throws {
        #expect(
            try JSONValue(encoding: Value()).description
                == #"{"z":"é\"\n","plan":"large","inner":{"b":1,"a":[1,2]},"list":[{"b":2},{"b":3,"a":[]}],"#
                + #""map":{"k":1},"price":"12.5","day":"1970-01-01T00:00:00Z","url":"https://example.com/a","#
                + #""big":18446744073709551615,"small":-128,"ratio":0.5,"is_on":false}"#
        )
    }

    @Test func `What was encoded is decoded to the same`() throws {
        let object = try #require(try JSONValue(encoding: Value()).object)
        #expect(try InputDecoder.decode(Value.self, from: object) == Value())
    }

    /// A search for each key among all others would take longer than the time limit.
    @Test func `A dictionary may have many entries`() throws {
        let prefix = String(repeating: "x", count: 100)
        let many = Dictionary(uniqueKeysWithValues: (10_000..<30_000).map { ("\(prefix)\($0)", $0) })
        let object = try #require(try JSONValue(encoding: many).object)
        #expect(try InputDecoder.decode([String: Int].self, from: object) == many)
    }

    private struct Nested: Encodable {
        enum Key: String, CodingKey { case a, b, c, d }

        func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: Key.self)
            var inner = members.nestedContainer(keyedBy: Key.self, forKey: .b)
            try inner.encode(1, forKey: .a)
            var list = members.nestedUnkeyedContainer(forKey: .a)
            try list.encode("x")
            try list.encodeNil()
            try list.encode([true])
            var more = list.nestedContainer(keyedBy: Key.self)
            try more.encodeNil(forKey: .c)
            try members.encode(2, forKey: .c)
            try members.encode(3, forKey: .c)
            var single = members.superEncoder(forKey: .d).singleValueContainer()
            try single.encode(1.0)
        }
    }

    private struct Empty: Encodable {}

    @Test(
        arguments: [
            (1, "1"), ("a", #""a""#), (true, "true"), (1.25, "1.25"), ([1, 2], "[1,2]"), (Int?.none, "null"),
            ([Int](), "[]"), (Empty(), "{}"), (UInt8(7), "7"),
            (Date(timeIntervalSince1970: 1), #""1970-01-01T00:00:01Z""#),
            (Nested(), #"{"b":{"a":1},"a":["x",null,[true],{"c":null}],"c":3,"d":1}"#),
        ] as [(any Encodable & Sendable, String)]
    )
    func `Any value can be encoded`(value: any Encodable & Sendable, json: String) throws {
        #expect(try JSONValue(encoding: value).description == json)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func `A number that JSON doesn't have is refused with its place`(number: Double) {
        let error = #expect(throws: EncodingError.self) { try JSONValue(encoding: ["a": [number]]) }
        guard case .invalidValue(_, let context)? = error else { return }
        #expect(context.codingPath.map(\.stringValue) == ["a", "0"])
    }
}
