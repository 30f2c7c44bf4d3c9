import Backlot
import Testing

@testable import Xpedite

/// Input from clients becomes a value of a type.
@Suite(.timeLimit(.minutes(5))) struct InputTests {
    private struct Input: Decodable, Equatable {
        var text: String
        var count: Int
        var ratio: Double?
        var isOn: Bool
        var day: Day?
        var tags: [String]?
    }

    @Test func `Texts become what the type asks for`() throws {
        let input = try InputDecoder.decode(
            Input.self,
            from: ["text": "a", "count": "42", "ratio": "1.5", "isOn": "1", "day": "1990-06-15", "tags": ["x"]]
        )
        let day = Day(year: 1990, month: 6, day: 15)
        #expect(input == Input(text: "a", count: 42, ratio: 1.5, isOn: true, day: day, tags: ["x"]))
    }

    @Test func `What was left empty is absent`() throws {
        let input = try InputDecoder.decode(
            Input.self,
            from: ["text": "", "count": 1, "ratio": "", "isOn": false, "day": ""]
        )
        #expect(input == Input(text: "", count: 1, ratio: nil, isOn: false, day: nil, tags: nil))
    }

    @Test(
        arguments: [
            (["text": "a", "isOn": "1"], "'count' is missing"),
            (["text": "a", "count": "x", "isOn": "1"], "'count' must be a whole number"),
            (["text": "a", "count": 1.5, "isOn": "1"], "'count' must be a whole number"),
            (["text": "a", "count": 1, "isOn": "maybe"], "'isOn' must be on or off"),
            (["text": [], "count": 1, "isOn": "1"], "'text' must be a text"),
            (["text": "a", "count": 1, "isOn": "1", "day": "1990-02-30"], "'day' a date is written yyyy-MM-dd"),
            (["text": "a", "count": 1, "isOn": "1", "tags": "x"], "'tags' must be a list"),
            (["text": "a", "count": 1, "isOn": "1", "tags": ["x", [:]]], "'tags.1' must be a text"),
            (["text": "a", "count": 99_999_999_999_999_999_999.0, "isOn": "1"], "'count' must be a whole number"),
        ] as [(JSONObject, String)]
    )
    func `An error names what is wrong`(object: JSONObject, problem: String) {
        let error = #expect(throws: InputError.self) { try InputDecoder.decode(Input.self, from: object) }
        #expect(error?.description == problem)
    }

    @Test(
        arguments: [
            (#"{"parameters":{"k":1},"k":2}"#, 1), (#"{"k":2}"#, 2), (#"{"parameters":{},"k":2}"#, 2), (#"{}"#, nil),
            (#"{"parameters":5,"k":2}"#, 2),
        ] as [(String, Int64?)]
    )
    func `Where a parameter is found`(json: String, value: Int64?) async throws {
        #expect(try await makeCall(json).parameter("k")?.number?.int64 == value)
    }

    @Test(
        arguments: [
            (#"{"parameters":{"id":1,"selected":4},"id":2,"selected":3}"#, 1),
            (#"{"parameters":{"selected":4},"id":2,"selected":3}"#, 2),
            (#"{"parameters":{"selected":4},"selected":3}"#, 3),
            (#"{"parameters":{"selected":4}}"#, 4), (#"{}"#, nil),
        ] as [(String, Int64?)]
    )
    func `Where the value of a tapped row is found`(json: String, value: Int64?) async throws {
        #expect(try await makeCall(json).selected("id")?.number?.int64 == value)
        #expect(try await makeCall(json).input(selected: "id")["id"]?.number?.int64 == value)
    }

    @Test func `Reserved names are no parameters`() async throws {
        let call = try await makeCall(#"{"method":"m","token":"t","selected":"s","x":1}"#)
        for name in ["method", "token", "selected", "formdata"] { #expect(call.parameter(name) == nil) }
        #expect(call.input() == ["x": 1])
    }

    @Test func `Places can be set`() async throws {
        var readings = ExchangeReadings()
        readings.parameterPlaces = [.topLevel]
        readings.selectionPlaces = [.selected]
        let call = try await makeCall(#"{"parameters":{"k":1},"k":2,"selected":3}"#, readings)
        #expect(call.parameter("k") == 2)
        #expect(call.selected("k") == 3)
        #expect(call.input() == ["k": 2])
    }

    @Test func `A form's values are under its id, other inputs beside it`() async throws {
        let call = try await makeCall(
            #"{"formdata":{"f":{"a":"1"},"g":{"a":"2"},"search":"x"},"parameters":{"a":"0","b":"3"}}"#
        )
        #expect(call.forms == ["f", "g"])
        #expect(call.formdata("f") == ["search": "x", "a": "1"])
        #expect(call.formdata("g") == ["search": "x", "a": "2"])
        #expect(call.formdata() == ["search": "x"])
        #expect(call.input(form: "f") == ["a": "1", "b": "3", "search": "x"])
        let single = try await makeCall(#"{"formdata":{"f":{"a":"1"}}}"#)
        #expect(single.formdata() == ["a": "1"])
    }

    /// A search for each name among all others would take longer than the time limit.
    @Test func `A packet may have many values`() async throws {
        let prefix = String(repeating: "x", count: 100)
        let many = JSONObject(pairs: (10_000..<30_000).map { ("\(prefix)\($0)", "1") })
        let nested = try await makeCall(["parameters": .object(many), "formdata": ["f": .object(many)]])
        #expect(nested.input() == many)
        var packet = many
        packet["formdata"] = .object(many)
        let flat = try await makeCall(packet)
        #expect(flat.input() == many)
    }

    private func makeCall(_ json: String, _ readings: ExchangeReadings = ExchangeReadings()) async throws -> Call {
        try await makeCall(try #require(try JSONValue(parsing: json).object), readings)
    }

    private func makeCall(
        _ packet: JSONObject,
        _ readings: ExchangeReadings = ExchangeReadings()
    ) async throws -> Call {
        let caught = Locked<Call?>(nil)
        var configuration = XpediteConfiguration()
        configuration.readings = readings
        let app = try TestApp(configuration: configuration) { app in
            app.connect { _ in page { label("x") } }
            app.method("catch") { call in
                caught.withLock { $0 = call }
                return page { label("x") }
            }
        }
        let token = try await app.connect()
        _ = try await app.send(["method": "catch", "token": .string(token)])
        let call = try #require(caught.withLock { $0 })
        return Call(
            method: "catch",
            packet: packet,
            session: call.session,
            request: call.request,
            readings: readings
        )
    }
}
