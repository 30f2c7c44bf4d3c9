import Backlot
import Testing

@testable import Applin

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The measured behaviour of released clients, compared with the rules.
@Suite(.timeLimit(.minutes(5))) struct ReleasedClientTests {
    private static let measured = ReleasedClients.hyphenReleases + ReleasedClients.releases

    /// The releases in a list such as `0.24-0.30,0.34`.
    private static func releases(_ list: Substring) -> Set<ClientVersion> {
        if list == "-" { return [] }
        let releases = list.split(separator: ",").flatMap { range -> [ClientVersion] in
            let bounds = range.split(separator: "-").compactMap { ClientVersion(String($0)) }
            return measured.filter { bounds[0] <= $0 && $0 <= bounds[bounds.count - 1] }
        }
        return Set(releases)
    }

    private struct Page: Sendable {
        let body: [UInt8]
        /// The releases that load it.
        let loading: Set<ClientVersion>
        /// Those of them that can send nothing from it.
        let silent: Set<ClientVersion>

        func verdicts(of releases: [ClientVersion]) -> ClientFindings {
            ReleasedClients.verdicts(onBody: body, of: releases, baseURL: "http://client.test/")
        }
    }

    private static func pages() throws -> [Page] {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "released-clients.txt")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }
        return lines.compactMap { line in
            let parts = line.split(separator: "\t")
            // Numbers that no Double holds are refused here, also where clients never look at them.
            if parts[2].contains("1e400") || parts[2].contains("1e309") { return nil }
            return Page(body: Array(parts[2].utf8), loading: releases(parts[0]), silent: releases(parts[1]))
        }
    }

    @Test func `Verdicts are those of the released clients`() throws {
        let pages = try Self.pages()
        #expect(pages.count > 300)
        var mistakes: [ClientVersion: Int] = [:]
        for page in pages {
            let verdicts = page.verdicts(of: Self.measured)
            for release in page.loading.symmetricDifference(verdicts.accepts) {
                mistakes[release, default: 0] += 1
                #expect(release < "0.25", "\(release): \(String(decoding: page.body, as: UTF8.self))")
            }
            #expect(Set(verdicts.failsToPost.map(\.release)) == page.silent)
        }
        // The vocabulary lacks the things that only the oldest clients know, such as the action nothing.
        for (release, count) in mistakes { #expect(count * 100 <= pages.count, "\(release): \(count)") }
    }

    @Test func `A page is judged as each release would be asked alone`() throws {
        for page in try Self.pages().enumerated().filter({ $0.offset.isMultiple(of: 20) }).map(\.element) {
            let alone = Self.measured.filter { !page.verdicts(of: [$0]).accepts.isEmpty }
            #expect(page.verdicts(of: Self.measured).accepts == alone, "\(String(decoding: page.body, as: UTF8.self))")
        }
    }

    @Test func `Releases form a group where a page has nothing that came between them`() throws {
        func groups(_ widget: JSONValue) -> [String] {
            let page: JSONValue = ["page": ["typ": "nav_page", "title": "T", "widget": widget]]
            return ReleasedClients.groups(of: ReleasedClients.releases, reading: page).map { group in
                "\(group[0])-\(group[group.count - 1])"
            }
        }
        #expect(groups(["typ": "text", "text": "x"]) == ["0.0.3-0.30", "0.31-0.40"])
        #expect(groups(["typ": "checkbox_button"]) == ["0.0.3-0.30", "0.31-0.37", "0.38-0.40"])
        #expect(
            groups(["typ": "textfield", "var_name": "a"]) == ["0.0.3-0.30", "0.31-0.33.1", "0.34-0.35", "0.36-0.40"]
        )
        let reset: JSONValue = ["typ": "button", "text": "A", "actions": [["typ": "reset_var", "var_name": "a"]]]
        #expect(groups(reset) == ["0.0.3-0.30", "0.31-0.33.1", "0.34-0.35", "0.36-0.40"])
        let error: JSONValue = ["typ": "button", "text": "A", "actions": ["rpc:/a", ":on_user_error_poll"]]
        #expect(groups(error) == ["0.0.3-0.23", "0.24-0.30", "0.31-0.31", "0.32-0.40"])
        #expect(groups(["typ": "text", "text": "x", "options1": 5]) == ["0.0.3-0.27", "0.28-0.30", "0.31-0.40"])
        #expect(ReleasedClients.groups(of: ["0.28", "0.30", "0.40"]).count == 2)
    }

    @Test(arguments: [
        (#"{"typ":"checkbox_button"}"#, "checkbox_button"),
        (#"{"typ":"button","text":"A","actions":[{"typ":"reset_var","var_name":"a"}]}"#, "reset_var"),
        (#"{"typ":"button","text":"A","actions":["pop"]}"#, "actions that are strings"),
        (#"{"typ":"text","text":5}"#, "text's text"),
    ])
    func `The cause of a refusal is told in a word`(widget: String, cause: String) {
        let body = Array(#"{"page":{"typ":"plain_page","widget":\#(widget)}}"#.utf8)
        let verdicts = ReleasedClients.verdicts(onBody: body, of: ["0.34"], baseURL: nil)
        #expect(verdicts.causes["0.34"] == cause)
    }

    // MARK: Files of pages

    private static let button = """
        {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"rpc","url":"/a"}]}}
        """

    private func verdicts(_ text: String) throws -> [String] {
        PageFile(Array(text.utf8), name: "a.json").entries.map { $0.verdicts(baseURL: nil).text(id: $0.id) }
    }

    @Test(arguments: [
        button, "{\"page\":\(button)}", "{\n\"page\":\n\(button)\n}\n",
    ])
    func `A file holds a page`(text: String) throws {
        let verdicts = try verdicts(text)
        #expect(verdicts.count == 1)
        #expect(
            verdicts[0].hasPrefix("a.json\n  loads: 0.31 to 0.40\n  0.0.3 to 0.30: /page/widget/actions/0: The action ")
        )
    }

    @Test func `A file holds lines of pages`() throws {
        let lines = """
            {"id":"one","page":{"page":\(Self.button)}}

            {"id":2,"page":"{\\"page\\":5}"}
            {"page":{"page":\(Self.button)}}
            {"id":"broken"
            """
        let file = PageFile(Array(lines.utf8), name: "pages")
        #expect(file.entries.map(\.id) == ["one", "2", "pages, line 3", "pages, line 4"])
        #expect(file.entries.map { $0.verdicts(baseURL: nil).accepts.count } == [12, 0, 12, 0])
    }

    @Test(arguments: ["", "no JSON", "[]", "{", "{}\n{}", "{\"page\":5}", "\u{FEFF}{\"page\":{}}"])
    func `What is no page is loaded by no client`(text: String) throws {
        let file = PageFile(Array(text.utf8), name: "x")
        #expect(file.entries.map(\.id) == ["x"])
        #expect(file.entries[0].verdicts(baseURL: nil).rejects.count == ReleasedClients.releases.count)
    }

    @Test func `Compressed files are read, damaged ones are not`() throws {
        // gzip of {"typ":"plain_page","widget":{"typ":"empty"}}
        let gzip: [UInt8] = [
            0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xAB, 0x56, 0x2A, 0xA9, 0x2C, 0x50,
            0xB2, 0x52, 0x2A, 0xC8, 0x49, 0xCC, 0xCC, 0x8B, 0x2F, 0x48, 0x4C, 0x4F, 0x55, 0xD2, 0x51, 0x2A,
            0xCF, 0x4C, 0x49, 0x4F, 0x2D, 0x51, 0xB2, 0xAA, 0x86, 0x4A, 0xA6, 0xE6, 0x16, 0x94, 0x54, 0x2A,
            0xD5, 0xD6, 0x02, 0x00, 0xA5, 0x53, 0x47, 0x78, 0x2D, 0x00, 0x00, 0x00,
        ]
        let file = PageFile(try PageFile.decompressed(gzip), name: "x")
        #expect(file.entries[0].verdicts(baseURL: nil).rejects.isEmpty)
        #expect(throws: (any Error).self) { try PageFile.decompressed(Array(gzip.dropLast(9))) }
    }

    @Test func `Programs get the verdicts as JSON`() throws {
        let page: JSONValue = ["page": ["typ": "plain_page", "widget": ["typ": "textfield", "var_name": "a#"]]]
        let json = ReleasedClients.verdicts(on: page, baseURL: nil).json(id: "x")
        #expect(json["id"] == "x")
        #expect(json["accepts"]?.array?.last == "0.40.0")
        #expect(json["rejects"] == [:])
        #expect(json["post_refused"]?.object?.members.map(\.key).first == "0.34.0")
        #expect(
            json["post_refused"]?["0.40.0"] == """
                /page/widget/var_name: The variable "a#" has nothing before or after the "#": clients since 0.34 fail \
                every POST from the page. [malformed-var-name]
                """
        )
    }

    // MARK: Ranges of clients

    @Test func `A page for several clients is judged for all of them`() {
        func rules(_ widget: JSONValue, _ clients: PartialRangeFrom<ClientVersion>) -> [String] {
            ApplinRules.findings(
                in: ["page": ["typ": "plain_page", "widget": widget]],
                path: "/p",
                dialect: .objects,
                clients: clients,
                app: nil
            )
            .map { "\($0.severity) \($0.rule)\($0.isRejection ? ", rejects the page" : "")" }
        }
        let box: JSONValue = ["typ": "checkbox_button", "text": "A"]
        #expect(rules(box, "0.38"...) == [])
        #expect(rules(box, "0.34"...) == ["error widget-of-other-version, rejects the page"])
        let field: JSONValue = ["typ": "textfield", "var_name": "a", "validated": true]
        #expect(rules(field, "0.33"...) == [])
        #expect(rules(field, "0.32"...) == ["warning key-of-other-version"])
        let wrong: JSONValue = ["typ": "textfield", "var_name": "a", "validated": 1]
        #expect(rules(wrong, "0.31"...) == ["error wrong-type, rejects the page", "warning key-of-other-version"])
        let link: JSONValue = [
            "typ": "button", "text": "A", "actions": [["typ": "launch_url", "url": "https://example.com/"]],
        ]
        #expect(rules(link, "0.32"...) == [])
        #expect(rules(link, "0.31"...) == ["error url-outside-base, rejects the page"])
    }

    @Test(arguments: [
        ("0.34", "0.34"), ("0.32.1", "0.32.1"), ("1", "1.0"), ("", nil), ("0.", nil), ("0.34.1.2", nil), ("+1", nil),
        ("a", nil),
    ])
    func `A version is read`(text: String, read: String?) {
        #expect(ClientVersion(text)?.description == read)
    }
}
