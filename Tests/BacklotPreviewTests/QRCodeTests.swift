import BacklotHTTP
import BacklotJSON
import HTTPTypes
import Testing

@testable import BacklotPreview

@Suite(.timeLimit(.minutes(5))) struct QRCodeTests {
    @Test func `A terminal shows two rows of modules in a line`() throws {
        let code = try #require(QRCode("http://10.0.0.7:8080/__tls"))
        let lines = code.lines(colors: false)
        #expect(code.rows.count == 25)
        #expect(lines.count == 17)
        #expect(lines.prefix(2).allSatisfy { $0 == String(repeating: "█", count: 33) })
        #expect(lines[2].hasPrefix("████ ▄▄▄▄▄ █"))
        #expect(lines[2].hasSuffix("█ ▄▄▄▄▄ ████"))
        #expect(code.lines(colors: true) == lines.map { "\u{1B}[97;40m\($0)\u{1B}[0m" })
    }

    @Test(arguments: [(1, 21), (14, 21), (15, 25), (106, 41), (666, 97), (2331, 177)])
    func `A longer text makes a larger code`(count: Int, size: Int) throws {
        #expect(try #require(QRCode(String(repeating: "x", count: count))).rows.count == size)
    }

    @Test(arguments: ["", "a\0b", String(repeating: "x", count: 2332)])
    func `A text without a code has none`(text: String) async throws {
        #expect(QRCode(text) == nil)
        let refusal = try await PreviewedApp().call("/__preview/qr", ["text": .string(text)])
        #expect(refusal.status == .badRequest)
    }

    @Test func `The shell gets the modules`() async throws {
        let response = try await PreviewedApp().call("/__preview/qr", ["text": "http://10.0.0.7:8080/"])
        let rows = try #require(try JSONValue(parsing: response.bytes)["rows"]?.array)
        #expect(rows.count == 25)
        #expect(rows.first?.string?.hasPrefix("1111111") == true)
    }
}
