import Backlot
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite(.timeLimit(.minutes(5))) struct VariablesTests {
    private struct NewAccount: Decodable, Equatable {
        var username: String
        var agree: Bool
    }

    private struct Nested: Decodable, Equatable {
        var tags: [String]
        var responses: [String: Bool]
        var note: String?
    }

    private func variables(_ body: String) async throws -> Variables {
        try await Request(.post, "/", body: Array(body.utf8)).variables()
    }

    @Test func `Variables become a value of a type`() async throws {
        let variables = try await variables(#"{"agree":true,"username":"user1","other":[1]}"#)
        #expect(try variables.decode(NewAccount.self) == NewAccount(username: "user1", agree: true))
        #expect(try variables[Variable<String>("username")] == "user1")
        #expect(try variables.value("agree", as: Bool.self))
    }

    @Test func `Names with # and % arrive as objects and arrays`() async throws {
        let variables = try await variables(#"{"tags":["a","b"],"responses":{"x":true,"y":false}}"#)
        let expected = Nested(tags: ["a", "b"], responses: ["x": true, "y": false], note: nil)
        #expect(try variables.decode(Nested.self) == expected)
    }

    /// A search for each name among all others would take longer than the time limit.
    @Test(arguments: [true, false]) func `A variable may have many entries`(isFlat: Bool) throws {
        let prefix = (isFlat ? "topics#" : "") + String(repeating: "x", count: 100)
        let object = JSONObject(pairs: (10_000..<30_000).map { ("\(prefix)\($0)", true) })
        let variables = Variables(isFlat ? object : ["topics": .object(object)])
        let topics = try variables.value("topics", as: [String: Bool].self)
        #expect(topics.count == 20_000 && topics.values.allSatisfy { $0 })
    }

    /// The other form repeats the variable's name for each entry: this would take 5 GB.
    @Test(arguments: [true, false]) func `A variable with a long name and many entries is decoded`(isList: Bool) throws
    {
        let (name, entries) = (String(repeating: "k", count: 100_000), (0..<50_000).map { "\($0)" })
        let list = JSONValue.array(entries.map(JSONValue.string))
        let object = JSONObject(pairs: entries.map { ($0, .string($0)) })
        let variables = Variables([name: isList ? list : .object(object), "username": "ann", "agree": true])
        #expect(try variables.decode(NewAccount.self) == NewAccount(username: "ann", agree: true))
        if isList { #expect(try variables.value(name, as: [String].self) == entries) }
    }

    private struct AnyKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// The names of all variables.
    private struct Names: Decodable {
        let names: [String]

        init(from decoder: any Decoder) throws {
            names = try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue).sorted()
        }
    }

    @Test(arguments: [(128, true), (129, false)])
    func `The entries of a variable whose name has at most 128 bytes have flat names too`(
        count: Int,
        isFlat: Bool
    ) throws {
        let (name, other) = (String(repeating: "k", count: count), String(repeating: "o", count: count))
        let names = try Variables([name: ["x"], other: ["y": true]]).decode(Names.self).names
        #expect(names == (isFlat ? [name, "\(name)%x", other, "\(other)#y"] : [name, other]))
    }

    @Test func `A slash may be escaped`() async throws {
        #expect(try await variables(#"{"url":"http:\/\/a\/b"}"#).value("url", as: String.self) == "http://a/b")
    }

    @Test(arguments: [
        (#"{"agree":true}"#, "the variable 'username' is missing: expected a string"),
        (#"{"username":"a"}"#, "the variable 'agree' is missing: expected a boolean"),
        (#"{"username":7,"agree":true}"#, "the variable 'username' is a number: expected a string"),
        (#"{"username":"a","agree":"true"}"#, "the variable 'agree' is a string: expected a boolean"),
        (#"{"username":null,"agree":true}"#, "the variable 'username' is null: expected a string"),
        (#"{"username":["a"],"agree":true}"#, "the variable 'username' is an array: expected a string"),
        (#"{"username":{},"agree":true}"#, "the variable 'username' is an object: expected a string"),
    ])
    func `A wrong variable is named, with what was expected and what came`(body: String, reason: String) async throws {
        let variables = try await variables(body)
        let error = #expect(throws: VariableError.self) { try variables.decode(NewAccount.self) }
        #expect(error?.status == .badRequest)
        #expect(error?.reason == reason)
    }

    @Test func `Single variables are checked as well`() async throws {
        let variables = try await variables(#"{"a":1.5,"list":["x",2]}"#)
        func reason(_ body: () throws -> some Any) -> String? {
            do {
                _ = try body()
                return nil
            } catch {
                return (error as? VariableError)?.reason
            }
        }
        #expect(reason { try variables[Variable<Bool>("b")] } == "the variable 'b' is missing: expected a boolean")
        #expect(reason { try variables[Variable<String>("a")] } == "the variable 'a' is a number: expected a string")
        #expect(
            reason { try variables.value("list", as: [String].self) }
                == "the variable 'list.1' is a number: expected a string"
        )
        #expect(
            reason { try variables.value("a", as: [String: String].self) }
                == "the variable 'a' is a number: expected an object"
        )
    }

    @Test(
        arguments: [
            (#"{}"#, nil, nil), (#"{"q":null,"n":null}"#, nil, nil), (#"{"q":"","n":""}"#, "", nil),
            (#"{"q":"a","n":"7"}"#, "a", 7),
        ] as [(String, String?, Int?)]
    )
    func `An optional is nil where nothing was sent`(body: String, text: String?, number: Int?) async throws {
        let variables = try await variables(body)
        #expect(try variables.value("q", as: String?.self) == text)
        #expect(try variables.value("q") ?? "" == text ?? "")
        #expect(try variables[Variable<Int?>("n")] == number)
        if number == nil, body != "{}" {
            #expect(throws: VariableError.self) { try variables.value("n", as: Int.self) }
        }
    }

    @Test func `An optional of another type is an error`() async throws {
        let variables = try await variables(#"{"q":7}"#)
        let error = #expect(throws: VariableError.self) { try variables.value("q", as: String?.self) }
        #expect(error?.reason == "the variable 'q' is a number: expected a string")
    }

    private enum Color: String, Decodable, CaseIterable {
        case red, blue
    }

    private struct Order: Decodable, Equatable {
        var count: Int
        var weight: Double?
        var price: Decimal?
        var day: Date?
        var color: Color?
    }

    @Test func `Texts become numbers, dates and choices`() async throws {
        let body = #"{"count":" 42 ","weight":"1.5","price":"19.99","day":"2026-11-22","color":"blue"}"#
        let order = Order(
            count: 42,
            weight: 1.5,
            price: Decimal(string: "19.99"),
            day: Date(timeIntervalSince1970: 1_795_305_600),
            color: .blue
        )
        #expect(try await variables(body).decode(Order.self) == order)
        #expect(try await variables(#"{"a":"-7"}"#)[Variable<Int8>("a")] == -7)
        #expect(
            try await variables(#"{"a":"2026-11-22T10:00:00Z"}"#).value("a", as: Date.self).timeIntervalSince1970
                == 1_795_341_600
        )
    }

    @Test func `An empty text is nil where there is no text to ask for`() async throws {
        let order = try await variables(#"{"count":"1","weight":"","price":"","day":"","color":""}"#).decode(Order.self)
        #expect(order == Order(count: 1, weight: nil, price: nil, day: nil, color: nil))
    }

    @Test(arguments: [
        (#"{"count":"many"}"#, "Please correct 'count': it must be a whole number."),
        (#"{"count":""}"#, "Please correct 'count': it must be a whole number."),
        (#"{"count":"1.5"}"#, "Please correct 'count': it must be a whole number."),
        (#"{"count":"99999999999999999999"}"#, "Please correct 'count': it must be a whole number."),
        (#"{"count":"1","weight":"nan"}"#, "Please correct 'weight': it must be a number."),
        (#"{"count":"1","weight":"0x10"}"#, "Please correct 'weight': it must be a number."),
        (#"{"count":"1","price":"12a"}"#, "Please correct 'price': it must be a number."),
        (#"{"count":"1","price":"1.234.567"}"#, "Please correct 'price': it must be a number."),
        (#"{"count":"1","price":"1-2"}"#, "Please correct 'price': it must be a number."),
        (#"{"count":"1","day":"22.11.2026"}"#, "Please correct 'day': it must be a date, such as 2026-12-31."),
        (#"{"count":"1","day":"2026-02-30"}"#, "Please correct 'day': it must be a date, such as 2026-12-31."),
        (#"{"count":"1","color":"green"}"#, "Please correct 'color': it must be one of red, blue."),
    ])
    func `What the user can mend is 422, with a text for the user`(body: String, reason: String) async throws {
        let variables = try await variables(body)
        let error = #expect(throws: VariableError.self) { try variables.decode(Order.self) }
        #expect(error?.status == .unprocessableContent)
        #expect(error?.reason == reason)
    }

    private struct Topics: Decodable, Equatable {
        var topics: [String: Bool]
        var tags: [String]
    }

    private struct Flat: Decodable, Equatable {
        enum CodingKeys: String, CodingKey {
            case swift = "topics#swift"
            case blue = "tags%blue"
        }

        var swift: Bool
        var blue: Bool
    }

    @Test(arguments: [
        #"{"topics":{"swift":true,"c":false},"tags":["blue"]}"#,
        #"{"topics#swift":true,"topics#c":false,"tags%blue":true,"tags%red":false}"#,
    ])
    func `Names with # and % are read whichever way they came`(body: String) async throws {
        let variables = try await variables(body)
        #expect(try variables[Variable<Bool>("topics#swift")] == true)
        #expect(try variables[Variable<Bool>("topics#c")] == false)
        #expect(try variables[Variable<Bool>("tags%blue")] == true)
        #expect(try variables[Variable<Bool>("tags%red")] == false)
        #expect(try variables[Variable<[String: Bool]>("topics")] == ["swift": true, "c": false])
        #expect(try variables[Variable<[String]>("tags")] == ["blue"])
        #expect(try variables.decode(Topics.self) == Topics(topics: ["swift": true, "c": false], tags: ["blue"]))
        #expect(try variables.decode(Flat.self) == Flat(swift: true, blue: true))
        #expect(throws: VariableError.self) { try variables[Variable<Bool>("topics#d")] }
        #expect(throws: VariableError.self) { try variables[Variable<Bool>("other%d")] }
    }

    @Test func `A GET has no variables`() async throws {
        let variables = try await Request(.get, "/").variables()
        #expect(variables.object.count == 0)
    }

    @Test(arguments: ["[]", "7", "null", "\"a\"", "", "{", "{\"a\":}", "{\"a\":1}x", "{\"a\":1,\"a\":2}"])
    func `A body that is no JSON object is 400`(body: String) async throws {
        let error = await #expect(throws: StatusError.self) { try await variables(body) }
        #expect(error?.status == .badRequest)
        #expect(error?.reason.hasPrefix("the body is not ") == true)
    }

    @Test func `Bytes that are not UTF-8, and too deep nesting, are 400`() async throws {
        let bytes: [UInt8] = Array(#"{"a":""#.utf8) + [0xFF] + Array(#""}"#.utf8)
        let notText = try Request(.post, "/", body: bytes)
        let first = await #expect(throws: StatusError.self) { try await notText.variables() }
        #expect(first?.status == .badRequest)
        let deep = String(repeating: "[", count: 100_000)
        let second = await #expect(throws: StatusError.self) { try await variables(deep) }
        #expect(second?.status == .badRequest)
    }

    @Test func `A body that is too large is 413`() async throws {
        var request = try Request(.post, "/", body: Array(#"{"a":"aaaaaaaaaa"}"#.utf8))
        request.body.limit = 10
        let error = await #expect(throws: RequestError.self) { try await request.variables() }
        #expect(error == .bodyTooLarge(limit: 10))
    }

    /// A small generator of its own, so that a failure can be repeated.
    private struct Generator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ state >> 29
        }
    }

    @Test(arguments: 0..<4) func `100,000 mutated bodies don't trap`(seed: Int) async throws {
        var generator = Generator(state: UInt64(seed))
        let original = Array(#"{"username":"user1","agree":true,"tags":["a",1.5e3,null],"answers":{"x":false}}"#.utf8)
        let nasty = Array(#""\{}[]:,truefalsn0123eE+-.\u"#.utf8) + [0x00, 0x80, 0xC3, 0xED, 0xF4, 0xFF]
        for _ in 0..<25_000 {
            var body = original
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let place = Int.random(in: 0..<body.count, using: &generator)
                let byte = nasty.randomElement(using: &generator) ?? 0
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: body[place] = byte
                case 1: body.insert(byte, at: place)
                default: body.remove(at: place)
                }
            }
            do {
                let variables = try await Request(.post, "/", body: body).variables()
                _ = try? variables.decode(NewAccount.self)
            } catch {
                #expect((error as? StatusError)?.status == .badRequest)
            }
        }
    }
}
