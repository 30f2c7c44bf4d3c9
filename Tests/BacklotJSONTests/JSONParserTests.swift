import BacklotJSON
import Testing

/// The error that a document is refused with.
private func error(parsing text: String, depthLimit: Int = 64) -> JSONParseError? {
    error(parsing: Array(text.utf8), depthLimit: depthLimit)
}

private func error(parsing bytes: [UInt8], depthLimit: Int = 64) -> JSONParseError? {
    do throws(JSONParseError) {
        _ = try JSONValue(parsing: bytes, depthLimit: depthLimit)
        return nil
    } catch {
        return error
    }
}

@Suite(.timeLimit(.minutes(5))) struct JSONParserTests {
    @Test(
        arguments: [
            ("null", nil), ("true", true), ("false", false), (" \t\r\n1 \t\r\n", 1), ("-0", 0), ("0.5", 0.5),
            ("-12.25e+2", -1225), ("1E-2", 0.01), ("[]", []), ("{}", [:]), ("[ ]", []), ("{ }", [:]),
            ("[1,[2,[3]]]", [1, [2, [3]]]), (#"{"a":{"b":[]},"c":""}"#, ["a": ["b": []], "c": ""]),
            (#""""#, ""), (#""a b""#, "a b"), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{08}\u{0C}\n\r\t"),
            (#""\u0041\u00e9\u00E9""#, "A\u{E9}\u{E9}"), (#""\ud83d\ude00 \uD83D\uDE00""#, "😀 😀"),
            (#""é 日 😀""#, "é 日 😀"),
            (#""\u0000""#, "\u{0}"), ("\"\u{7F}\"", "\u{7F}"), (#""mixed \n é \" 😀""#, "mixed \n é \" 😀"),
            ("1e-300", 1e-300), ("-0.0e-400", 0), ("0E5", 0),
        ] as [(String, JSONValue)]
    )
    func `A document becomes its value`(_ text: String, value: JSONValue) throws {
        #expect(try JSONValue(parsing: text) == value)
    }

    @Test(
        arguments: [
            ("", .emptyDocument, 0),
            (" \n ", .emptyDocument, 3),
            ("\u{FEFF}1", .byteOrderMark, 0),
            ("1 2", .trailingBytes, 2),
            ("{}}", .trailingBytes, 2),
            ("[1,]", .trailingComma, 2),
            (#"{"a":1 , }"#, .trailingComma, 7),
            ("[,1]", .unexpectedByte(UInt8(ascii: ","), expected: .value), 1),
            ("[1 2]", .unexpectedByte(UInt8(ascii: "2"), expected: .commaOrArrayEnd), 3),
            ("[1", .unexpectedEnd(expected: .commaOrArrayEnd), 2),
            ("[", .unexpectedEnd(expected: .value), 1),
            ("[1,", .unexpectedEnd(expected: .value), 3),
            ("{", .unexpectedEnd(expected: .key), 1),
            ("{a:1}", .unexpectedByte(UInt8(ascii: "a"), expected: .key), 1),
            ("{1:1}", .unexpectedByte(UInt8(ascii: "1"), expected: .key), 1),
            ("{'a':1}", .unexpectedByte(UInt8(ascii: "'"), expected: .key), 1),
            (#"{"a" 1}"#, .unexpectedByte(UInt8(ascii: "1"), expected: .colon), 5),
            (#"{"a""#, .unexpectedEnd(expected: .colon), 4),
            (#"{"a":"#, .unexpectedEnd(expected: .value), 5),
            (#"{"a":}"#, .unexpectedByte(UInt8(ascii: "}"), expected: .value), 5),
            (#"{"a":1"#, .unexpectedEnd(expected: .commaOrObjectEnd), 6),
            (#"{"a":1]"#, .unexpectedByte(UInt8(ascii: "]"), expected: .commaOrObjectEnd), 6),
            (#"{"a":1,"a":2}"#, .duplicateKey("a"), 7),
            (#"{"a":1,"\u0061":2}"#, .duplicateKey("a"), 7),
            ("nul", .unexpectedEnd(expected: .literal), 3),
            ("[truE]", .unexpectedByte(UInt8(ascii: "t"), expected: .literal), 1),
            ("True", .unexpectedByte(UInt8(ascii: "T"), expected: .value), 0),
            ("nan", .unexpectedByte(UInt8(ascii: "n"), expected: .literal), 0),
            ("// a", .unexpectedByte(UInt8(ascii: "/"), expected: .value), 0),
            ("é", .unexpectedByte(0xC3, expected: .value), 0),
            ("01", .invalidNumber, 0), ("-01", .invalidNumber, 0), ("-", .invalidNumber, 0), ("+1", .invalidNumber, 0),
            ("[.5]", .invalidNumber, 1), ("1.", .invalidNumber, 0), ("1.e1", .invalidNumber, 0),
            ("1e", .invalidNumber, 0),
            ("1e+", .invalidNumber, 0), ("--1", .invalidNumber, 0), ("0x10", .trailingBytes, 1),
            ("[1e400]", .numberOutOfRange, 1), ("-1e400", .numberOutOfRange, 0),
            ("[1e-400]", .numberOutOfRange, 1), ("-0.1e-400", .numberOutOfRange, 0),
            (#""abc"#, .unterminatedString, 0), (#"["a\""#, .unterminatedString, 1), (#"""#, .unterminatedString, 0),
            ("\"a\nb\"", .controlByte(0x0A), 2), ("\"\u{0}\"", .controlByte(0), 1),
            (#""\x""#, .invalidEscape, 1), (#""a\"#, .invalidEscape, 2), (#""\u12"#, .invalidEscape, 1),
            (#""\u12G4""#, .invalidEscape, 1), (#""\U0041""#, .invalidEscape, 1),
            (#""\ud83d""#, .loneSurrogate, 1), (#""\ude00""#, .loneSurrogate, 1),
            (#""\ud83d\u0041""#, .loneSurrogate, 1),
            (#""\ud83dabcdef""#, .loneSurrogate, 1), (#""\ud83d\ud83d""#, .loneSurrogate, 1),
            (#""\ud83d\u00"#, .invalidEscape, 7),
        ] as [(String, JSONParseError.Kind, Int)]
    )
    func `A malformed document is refused at the byte that is wrong`(
        _ text: String,
        kind: JSONParseError.Kind,
        offset: Int
    ) {
        let error = error(parsing: text)
        #expect(error?.kind == kind)
        #expect(error?.offset == offset)
    }

    @Test(
        arguments: [
            ([0x80], 1), ([0xC0, 0x80], 1), ([0xC3], 1), ([0xED, 0xA0, 0x80], 1), ([0xF5, 0x80, 0x80, 0x80], 1),
            ([0x61, 0xFF], 2), ([0x5C, 0x6E, 0x61, 0xFE], 4), ([0xFF, 0x5C, 0x6E], 1),
        ] as [([UInt8], Int)]
    )
    func `A string that isn't UTF-8 is refused at its first bad byte`(_ text: [UInt8], offset: Int) {
        let error = error(parsing: [0x22] + text + [0x22])
        #expect(error?.kind == .invalidUTF8)
        #expect(error?.offset == offset)
    }

    /// A longer run would take a time that rises with its square, wherever the string is compared.
    @Test func `A string has at most 128 combining marks in a row`() throws {
        let (most, escaped) = (String(repeating: "\u{301}", count: 128), String(repeating: #"\u0301"#, count: 128))
        #expect(try JSONValue(parsing: "[\"e\(most)e\(most)\"]")[0]?.string?.utf8.count == 514)
        #expect(try JSONValue(parsing: "[\"e\(escaped)\"]")[0]?.string?.utf8.count == 257)
        let documents = [
            ("[\"e\(most)\u{301}\"]", 259), ("[1,\"\(escaped)\u{301}\"]", 3), ("[1,\"\(most)\\u0301\"]", 3),
            ("{\"\(most)\u{301}\":1}", 258), (#"["\n\#(most)\#u{301}"]"#, 260),
        ]
        for (text, offset) in documents {
            let error = error(parsing: text)
            #expect(error?.kind == .tooManyMarks)
            #expect(error?.offset == offset)
        }
    }

    @Test func `The depth of a document is limited`() {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(error(parsing: nested(64)) == nil)
        #expect(error(parsing: nested(65))?.kind == .tooDeep(limit: 64))
        #expect(error(parsing: nested(65))?.offset == 64)
        #expect(error(parsing: nested(512), depthLimit: 512) == nil)
        #expect(error(parsing: nested(2), depthLimit: 1)?.kind == .tooDeep(limit: 1))
        #expect(error(parsing: String(repeating: #"{"a":"#, count: 100_000))?.kind == .tooDeep(limit: 64))
        #expect(error(parsing: "[[],[],{}]", depthLimit: 2) == nil)
    }

    @Test func `A duplicate key is found among 100,000 keys`() {
        let members = (0..<100_000).map { "\"key\($0)\":\($0)" }.joined(separator: ",")
        #expect(error(parsing: "{\(members)}") == nil)
        #expect(error(parsing: "{\(members),\"key5\":0}")?.kind == .duplicateKey("key5"))
    }

    @Test func `Keys that look alike don't collide`() throws {
        // Å has three forms, which are equal as Swift's strings.
        let forms = ["\u{C5}", "\u{212B}", "A\u{30A}"]
        #expect(Set(forms).count == 1)
        #expect(Set(forms.map { ExactKey(text: $0).hashValue }).count == 3)
        #expect(Set(forms.map { JSONValue.string($0).hashValue }).count == 3)
        #expect(Set(forms.map { JSONValue.object([$0: 1]).hashValue }).count == 3)
        var keys = [""]
        for _ in 0..<9 { keys = keys.flatMap { key in forms.map { key + $0 } } }
        let members = keys.map { "\"\($0)\":0" }.joined(separator: ",")
        #expect(try JSONValue(parsing: "{\(members)}").object?.count == 19_683)
        #expect(error(parsing: "{\(members),\"\(keys[7])\":0}")?.kind == .duplicateKey(keys[7]))
    }

    @Test func `Lines and columns start at one`() {
        let error = error(parsing: "{\n  \"é\": tru\n}")
        #expect(error?.line == 2)
        #expect(error?.column == 8)
        #expect(error?.offset == 10)
    }

    @Test(arguments: [
        ("", "line 1, column 1 (byte 0): the document is empty; write a value, such as {} or null"),
        ("[1,\n2,]", "line 2, column 2 (byte 5): a comma stands before the end of the array or object; remove it"),
        ("{a", "line 1, column 2 (byte 1): found 'a' where a key in double quotes belongs"),
        ("[\u{1}", "line 1, column 2 (byte 1): found 0x01 where a value belongs"),
        ("[1", "line 1, column 3 (byte 2): the document ends where ',' or ']' belongs; it may have been cut off"),
        (
            #"{"a\n":1,"a\n":2}"#,
            #"line 1, column 10 (byte 9): the key "a\n" is in this object twice; remove one of the two"#
        ),
        (
            "\"\n",
            #"line 1, column 2 (byte 1): the string holds the control byte 0x0A; write it as an escape, such as \n or \u0000"#
        ),
        (
            "\"\(String(repeating: "\u{301}", count: 129))\"",
            "line 1, column 130 (byte 257): the string has more than 128 combining marks in a row; remove some"
        ),
        (
            "01",
            "line 1, column 1 (byte 0): not a JSON number; write it like 0, -12, 0.5 or 1e9, without leading zeros or plus sign"
        ),
    ])
    func `Errors say what is wrong, where, and what to do`(_ text: String, description: String) {
        #expect(error(parsing: text)?.description == description)
    }
}
