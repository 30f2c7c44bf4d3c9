import BacklotJSON
import Testing

/// What a writer writes, as text.
private func written(_ write: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    write(&writer)
    return String(decoding: writer.bytes, as: UTF8.self)
}

@Suite(.timeLimit(.minutes(5))) struct JSONWriterTests {
    @Test func `An empty object and an empty array are two bytes`() {
        #expect(written { $0.object { _ in } } == "{}")
        #expect(written { $0.array { _ in } } == "[]")
    }

    @Test func `Commas stand between fields`() {
        let json = written {
            $0.object {
                $0.field("a", "x")
                $0.field("b", true)
                $0.field("c", 1)
                $0.field("d", 2)
                $0.field("e", 2.5)
                $0.object("f") { $0.field("g", false) }
                $0.array("h") { _ in }
                $0.key("i")
                $0.null()
                $0.member("j", .null)
            }
        }
        #expect(json == #"{"a":"x","b":true,"c":1,"d":2,"e":2.5,"f":{"g":false},"h":[],"i":null,"j":null}"#)
    }

    @Test func `Commas stand between elements`() {
        let json = written {
            $0.array {
                $0.value("a")
                $0.value(1)
                $0.object { $0.field("b", "c") }
                $0.object { _ in }
                $0.array { $0.array { _ in } }
                $0.object(startingWith: "d", "e") { _ in }
                $0.object(startingWith: "f", "g") { $0.field("h", 1) }
                $0.value(literal: "i", colon: "j")
                $0.value(literal: "k")
                $0.null()
            }
        }
        #expect(json == #"["a",1,{"b":"c"},{},[[]],{"d":"e"},{"f":"g","h":1},"i:j","k",null]"#)
    }

    @Test func `Fields without a value are left out`() {
        let json = written {
            $0.object {
                $0.field("a", nil as String?)
                $0.field("b", nil as Bool?)
                $0.field("c", nil as Int?)
                $0.field("d", nil as Int?)
                $0.field("e", nil as Double?)
                $0.field("g", "")
            }
        }
        #expect(json == #"{"g":""}"#)
    }

    @Test(arguments: [
        ("plain", #""plain""#),
        ("", #""""#),
        (#"say "hi""#, #""say \"hi\"""#),
        (#"a\b"#, #""a\\b""#),
        ("/", #""/""#),
        ("\u{08}\u{0C}\n\r\t", #""\b\f\n\r\t""#),
        ("\u{00}\u{01}\u{0B}\u{1F}", #""\u0000\u0001\u000b\u001f""#),
        ("\u{7F}\u{2028}", "\"\u{7F}\u{2028}\""),
        ("é 日 😀", #""é 日 😀""#),
        (
            "a text that is longer than a vector register, with\na line break",
            #""a text that is longer than a vector register, with\na line break""#
        ),
    ])
    func `A string is escaped alike wherever it stands`(_ string: String, json: String) {
        #expect(written { $0.value(string) } == json)
        #expect(written { $0.object { $0.field("k", string) } } == #"{"k":\#(json)}"#)
        #expect(written { $0.object { $0.member(string, .string(string)) } } == "{\(json):\(json)}")
        #expect(written { $0.object(startingWith: "t", "u") { $0.field("k", string) } } == #"{"t":"u","k":\#(json)}"#)
        #expect(written { $0.object { $0.array("a") { $0.value(string) } } } == #"{"a":[\#(json)]}"#)
        #expect(written { $0.value(literal: "", colon: string) } == #"":\#(json.dropFirst())"#)
    }

    @Test func `A byte is escaped at each place of a string`() {
        for length in 1...40 {
            for place in 0..<length {
                for byte in ["\"", "\\", "\n", "\u{1F}"] {
                    let plain = Array(repeating: "é", count: length)
                    var text = plain
                    text[place] = byte
                    let expected = JSONValue.string(text.joined())
                    let json = written { $0.value(text.joined()) }
                    #expect(json.utf8.count > 2 + text.joined().utf8.count)
                    #expect((try? JSONValue(parsing: json)) == expected)
                }
            }
        }
    }

    @Test func `Commas stand between escaped strings`() {
        let json = written {
            $0.array {
                $0.value("\n")
                $0.value("\n")
                $0.value(literal: "n", colon: "\n")
                $0.object(startingWith: "a", "n") {
                    $0.member("\n", .string("\n"))
                    $0.object("b") { _ in }
                    $0.array("c") { $0.value("\n") }
                    $0.field("k", "v")
                }
                $0.object(startingWith: "d", "n") { _ in }
                $0.value("v")
            }
        }
        #expect(
            json == #"["\n","\n","n:\n",{"a":"n","\n":"\n","b":{},"c":["\n"],"k":"v"},{"d":"n"},"v"]"#
        )
    }

    @Test func `Every control byte is escaped`() throws {
        for code in 0..<0x20 {
            let string = String(UnicodeScalar(UInt8(code)))
            let json = written { $0.value(string) }
            #expect(json.utf8.allSatisfy { $0 >= 0x20 })
            #expect(try JSONValue(parsing: json) == .string(string))
        }
    }

    @Test(
        arguments: [
            (8, "8"), (8.5, "8.5"), (0, "0"), (-0.0, "0"), (-1.25, "-1.25"), (0.1, "0.1"), (1e15, "1000000000000000"),
            (1e18, "1000000000000000000"), (1e19, "1e+19"), (1e300, "1e+300"), (.leastNonzeroMagnitude, "5e-324"),
            (0.001, "0.001"), (-0.0005, "-0.0005"), (123456789012.345, "123456789012.345"), (.infinity, "null"),
            (-.infinity, "null"), (.nan, "null"), (.signalingNaN, "null"),
        ] as [(Double, String)]
    )
    func `A double is the shortest number that reads back`(_ value: Double, json: String) {
        #expect(written { $0.value(value) } == json)
        #expect(written { $0.object { $0.field("n", value) } } == #"{"n":\#(json)}"#)
    }

    /// Numbers with few digits after the point are written without `description`, and must be what it gives.
    @Test func `A number with few decimals is written like its description`() {
        var generator = SystemRandomNumberGenerator()
        let random = (0..<20_000).map { _ in Double(Int.random(in: -1_000_000_000...1_000_000_000, using: &generator)) }
        let hundredths =
            (-20_000...20_000).map(Double.init) + random + random.map { $0 * 1e5 + 1 } + random.map { $0 * 1e7 + 1 }
        for number in hundredths {
            for value in [number / 100, (number / 100).nextUp, (number / 100).nextDown, number / 1000, number / 1e6] {
                let isWhole = value.rounded() == value
                #expect(isWhole || written { $0.value(value) } == value.description)
            }
        }
    }

    @Test(arguments: ["", "x", "a \"b\"\n\u{1}", "long enough to be on the heap: ö 🎈", "\\"])
    func `A string written in pieces is one string`(_ text: String) throws {
        let json = written {
            $0.object {
                $0.field("a", 1)
                $0.field("b") {
                    $0.piece(text)
                    $0.piece(" ")
                    $0.piece(1234567)
                    $0.piece(0)
                }
                $0.field("c", true)
            }
        }
        #expect(try JSONValue(parsing: json) == ["a": 1, "b": .string("\(text) 12345670"), "c": true])
    }

    @Test func `Integers up to their bounds are written in digits`() {
        #expect(written { $0.value(0) } == "0")
        #expect(written { $0.value(-10) } == "-10")
        #expect(written { $0.value(Int.min) } == "-9223372036854775808")
        #expect(written { $0.value(Int.max) } == "9223372036854775807")
        #expect(written { $0.value(UInt64.max) } == "18446744073709551615")
    }

    /// Room is made for each piece before it is written, however little there is.
    @Test func `A writer of any capacity writes the same bytes`() {
        func write(_ writer: inout JSONWriter) {
            writer.object(startingWith: "typ", "nav_page") {
                $0.field("title", "New Account")
                $0.field("escaped", "a \"quoted\"\n\u{1}")
                $0.field("number", -12.5)
                $0.array("actions") {
                    $0.value(literal: "pop")
                    $0.value(literal: "push", colon: "/terms")
                    $0.value(literal: "rpc", colon: "/\u{1}")
                    $0.value(UInt64.max)
                }
                $0.object("empty") { _ in }
                $0.member("any \\ key", [1, [true, "x"]])
            }
        }
        let json = written(write)
        #expect(
            json
                == #"{"typ":"nav_page","title":"New Account","escaped":"a \"quoted\"\n\u0001","number":-12.5,"#
                + #""actions":["pop","push:/terms","rpc:/\u0001",18446744073709551615],"empty":{},"#
                + #""any \\ key":[1,[true,"x"]]}"#
        )
        for capacity in 0...json.utf8.count + 8 {
            var writer = JSONWriter(capacity: capacity)
            write(&writer)
            #expect(writer.bytes == Array(json.utf8))
            #expect(JSONWriter.document(capacity: capacity, write) == Array(json.utf8))
        }
    }

    @Test func `A document knows its variant`() {
        #expect(JSONWriter.document(capacity: 1, variant: 3) { $0.value($0.variant) } == [UInt8(ascii: "3")])
    }

    @Test func `A writer can be used again`() {
        var writer = JSONWriter(capacity: 8)
        writer.value("one")
        writer.removeAll()
        writer.value("two")
        #expect(writer.bytes == Array(#""two""#.utf8))
    }
}
