import Testing

@testable import BacklotService

/// The syntax of `.env`.
@Suite(.timeLimit(.minutes(1))) struct EnvironmentFileTests {
    @Test(
        arguments: [
            ("", [:]),
            ("# a comment\n\n  # another\n", [:]),
            ("PORT=1", ["PORT": "1"]),
            ("# CRLF\r\nADMIN=off\r\nPORT=2\r\n", ["ADMIN": "off", "PORT": "2"]),
            ("\u{FEFF}PORT=1\n", ["PORT": "1"]),
            ("export PORT=1\nexport\tHOST=::1", ["PORT": "1", "HOST": "::1"]),
            ("exported=1", ["exported": "1"]),
            ("  PORT = 1  ", ["PORT": "1"]),
            ("A=", ["A": ""]),
            ("A='x y'\nB=\"x y\"", ["A": "x y", "B": "x y"]),
            ("A='it\\n' # literal", ["A": "it\\n"]),
            ("B=\"a\\nb\\t\\\"c\\\" \\$d \\\\ \\w\"", ["B": "a\nb\t\"c\" $d \\ \\w"]),
            ("A=a#b # comment\nB=#fff\nC= # empty", ["A": "a#b", "B": "#fff", "C": ""]),
            ("A='# none' # comment", ["A": "# none"]),
            ("A=it's\nB=5\" disk", ["A": "it's", "B": "5\" disk"]),
            ("URL=postgres://ada:a=b@db/web?x=y", ["URL": "postgres://ada:a=b@db/web?x=y"]),
            ("A=1\nA=2", ["A": "2"]),
            ("A=ü€", ["A": "ü€"]),
        ] as [(String, [String: String])]
    )
    func `A file has variables`(text: String, variables: [String: String]) throws {
        #expect(try EnvironmentFile(text).variables == variables)
    }

    @Test(
        arguments: [
            ("PORT", 1, "is not a setting: write NAME=value"),
            ("\r\nPORT=1\r\nport 2\r\n", 3, "is not a setting: write NAME=value"),
            ("A=1\n=3", 2, "is not a setting: write NAME=value"),
            ("export PORT", 1, "is not a setting: write NAME=value"),
            ("A-B=1", 1, "has a name that isn't made of letters, digits and _: 'A-B'"),
            ("\n\nA B=1", 3, "has a name that isn't made of letters, digits and _: 'A B'"),
            ("A='x", 1, "has a quote that doesn't close"),
            ("A=\"x\\\"", 1, "has a quote that doesn't close"),
            ("A=\"x\"y", 1, "has a quote that doesn't close at the end of the value"),
            ("A=\"x\"# no comment", 1, "has a quote that doesn't close at the end of the value"),
            ("A='first\nsecond'", 1, "has a quote that doesn't close"),
        ] as [(String, Int, String)]
    )
    func `A line that can't be read is named`(text: String, line: Int, reason: String) throws {
        let error = try #require(throws: EnvironmentFile.ParsingError.self) { try EnvironmentFile(text) }
        #expect(error.line == line)
        #expect(error.reason.hasPrefix(reason), "\(error.reason)")
    }
}
