import BacklotJSON
import Testing

@Suite(.timeLimit(.minutes(5))) struct JSONValueTests {
    let document: JSONValue = [
        "title": "New Account", "count": 3, "ratio": 0.5, "open": true, "none": nil, "list": ["a", ["b": 1]],
    ]

    @Test func `Values are found by key and index`() {
        #expect(document["title"]?.string == "New Account")
        #expect(document["count"]?.number?.int64 == 3)
        #expect(document["ratio"]?.number?.double == 0.5)
        #expect(document["open"]?.bool == true)
        #expect(document["none"]?.isNull == true)
        #expect(document["list"]?[1]?["b"] == 1)
        #expect(document.object?.keys == ["title", "count", "ratio", "open", "none", "list"])
    }

    @Test func `A missing key, a bad index and another type give nil`() {
        #expect(document["missing"] == nil)
        #expect(document["list"]?[2] == nil)
        #expect(document["list"]?[-1] == nil)
        #expect(document[0] == nil)
        #expect(document["list"]?["b"] == nil)
        #expect(document["title"]?.bool == nil)
        #expect(document["title"]?.isNull == false)
    }

    @Test func `The description is compact JSON in the order of the wire`() {
        #expect(
            document.description
                == #"{"title":"New Account","count":3,"ratio":0.5,"open":true,"none":null,"list":["a",{"b":1}]}"#
        )
    }

    @Test func `Objects with the same members in another order are equal`() {
        let one: JSONValue = ["a": 1, "b": ["c": 2, "d": 3]]
        let other: JSONValue = ["b": ["d": 3, "c": 2], "a": 1]
        #expect(one == other)
        #expect(one.hashValue == other.hashValue)
        #expect(one != ["a": 1, "b": ["c": 2, "d": 4]])
        #expect(one != ["a": 1])
        #expect(["a": nil] as JSONValue != ["b": nil])
        #expect([1, 2] as JSONValue != [2, 1])
    }

    @Test func `Large objects with the same members in another order are equal`() {
        var one = JSONObject()
        var other = JSONObject()
        for number in 0..<50 {
            one["key\(number)"] = .number(JSONNumber(Int64(number)))
            other["key\(49 - number)"] = .number(JSONNumber(Int64(49 - number)))
        }
        #expect(one == other)
        other["key7"] = nil
        other["key8b"] = 7
        #expect(one != other)
    }

    @Test func `Strings and keys compare by code points`() {
        #expect(JSONValue.string("\u{E9}") != .string("e\u{301}"))
        #expect(["\u{E9}": 1] as JSONValue != ["e\u{301}": 1])
        #expect((["\u{E9}": 1, "e\u{301}": 2] as JSONValue).object?.count == 2)
    }

    @Test func `A member can be changed, added and removed`() {
        var object: JSONObject = ["a": 1, "b": 2, "a": 3]
        #expect(object.members.map(\.key) == ["a", "b"])
        #expect(object["a"] == 3)
        object["b"] = nil
        object["c"] = .null
        #expect(JSONValue.object(object).description == #"{"a":3,"c":null}"#)
    }

    @Test(arguments: [3, 30])
    func `A repeated key has its last value, among few members and among many`(count: Int) {
        let first = (0..<count).map { ("key\($0)", JSONValue.number(JSONNumber(Int64($0)))) }
        let last: [(String, JSONValue)] = [("key1", "last"), ("e\u{301}", 1), ("\u{E9}", 2)]
        let object = JSONObject(pairs: first + last)
        #expect(object.keys == (0..<count).map { "key\($0)" } + ["e\u{301}", "\u{E9}"])
        let indexed = IndexedObject(object)
        for key in object.keys + ["missing"] { #expect(indexed[key] == object[key]) }
        #expect(indexed["key1"] == "last" && indexed["e\u{301}"] == 1 && indexed["\u{E9}"] == 2)
    }
}

@Suite(.timeLimit(.minutes(5))) struct JSONNumberTests {
    @Test(arguments: ["8", "8.0", "0.8e1", "80E-1", "8.000"])
    func `One number in several forms has one value`(_ text: String) throws {
        let number = try #require(JSONValue(parsing: text).number)
        #expect(number == JSONNumber(Int64(8)))
        #expect(number.isWhole)
        #expect(number.int64 == 8)
        #expect(number.uint64 == 8)
        #expect(number.double == 8)
    }

    @Test(arguments: [
        "9007199254740993", "9223372036854775807", "-9223372036854775808", "9223372036854775808",
        "18446744073709551615",
    ])
    func `Integers of up to 64 bits are exact`(_ text: String) throws {
        let value = try JSONValue(parsing: text)
        #expect(value.description == text)
        #expect(value.number?.isWhole == true)
    }

    @Test func `An integer beyond 64 bits is a double`() throws {
        let large = try #require(JSONValue(parsing: "18446744073709551616").number)
        #expect(large.uint64 == nil)
        #expect(large.double == 18_446_744_073_709_551_616)
        #expect(large.isWhole)
        let small = try #require(JSONValue(parsing: "-9223372036854780000").number)
        #expect(small.int64 == nil)
        #expect(small.isWhole)
    }

    @Test func `A number gives only the types that hold it`() throws {
        let half = try #require(JSONNumber(0.5))
        #expect(!half.isWhole)
        #expect(half.int64 == nil)
        #expect(half.uint64 == nil)
        #expect(JSONNumber(Int64(-1)).uint64 == nil)
        #expect(JSONNumber(-0.0) == JSONNumber(Int64(0)))
        #expect(JSONNumber(UInt64.max).int64 == nil)
        #expect(JSONNumber(UInt64(5)) == JSONNumber(Int64(5)))
        #expect(JSONNumber(.nan) == nil)
        #expect(JSONNumber(.infinity) == nil)
        #expect(JSONNumber(0x1p63) == JSONNumber(UInt64(1) << 63))
    }
}
