import Backlot
import Floki
import Foundation
import Testing

@testable import demo_server

/// What scripts send, line by line.
@Suite(.timeLimit(.minutes(5))) struct StoryLineTests {
    private func line(_ text: String) throws -> StoryLine { try StoryLine(parsing: Array(text.utf8)) }

    private func item(_ line: StoryLine) throws -> Item {
        guard case .item(let item) = line.entry else { throw Wrong() }
        return item
    }

    private struct Wrong: Error {}

    @Test func `A line with everything becomes an item`() throws {
        let line = try line(
            """
            {"feed":"news","id":70,"language":"es","title":"Título","body":"Texto","expires":"2036-12-01T00:00:00Z",
             "sort_id":71,"section_ids":[1,2],"tags":["año 2026","c++"],"footer":"F","image":"a.png","page":"<p>P</p>",
             "share_url":"https://a.example/","online":true,"url":"https://b.example/","publish":"2026-11-30T12:00+01:00"}
            """
        )
        let item = try item(line)
        #expect(line.language == "es")
        #expect(item.id == 70 && item.title == "Título" && item.body == "Texto")
        #expect(item.expirationDate?.timeIntervalSince1970 == 2_111_702_400)
        #expect(item.sortID == 71 && item.sectionIDs == [1, 2] && item.tags == ["año 2026", "c++"] && item.isOnline)
        #expect(item.footer == "F" && item.page == "<p>P</p>" && item.shareURL == "https://a.example/")
        #expect(item.image == "a.png" && item.url == "https://b.example/")
        #expect(item.publication == .scheduled(at: 1_796_036_400))
    }

    @Test func `A line with the least, and null for what is left out`() throws {
        let line = try line(#"{"feed":"news","id":1,"title":"T","language":null,"expires":null}"#)
        let item = try item(line)
        #expect(line.language == nil)
        #expect(item.body == "" && item.expirationDate == nil && item.publication == .published)
        // Every story of the newspaper needs a section.
        #expect(item.sectionIDs == [NewspaperApp.townSection])
    }

    @Test(arguments: [
        (#""body":"A & B","tags":["a"]"#, NewspaperStock.page("A & B", ["a"])), (#""page":"<p>P</p>""#, "<p>P</p>"),
        (#""body":"B","url":"https://b.example/""#, nil),
    ])
    func `A tap on a story opens something`(members: String, page: String?) throws {
        #expect(try item(line(#"{"feed":"news","id":1,"title":"T",\#(members)}"#)).page == page)
    }

    @Test func `A line with a photo becomes a thumbnail`() throws {
        let line = try line(
            #"{"feed":"photos","id":9,"url":"/a.png","width":3,"height":4,"title":"T","caption_text":"C","max_zoom":1.5}"#
        )
        guard case .thumb(let thumb) = line.entry else { throw Wrong() }
        #expect(thumb.url == "/a.png" && thumb.image == "/a.png" && thumb.width == 3 && thumb.height == 4)
        #expect(thumb.title == "T" && thumb.captionText == "C" && thumb.maxZoom == 1.5)
    }

    @Test(arguments: [
        ("", "it is not JSON: line 1, column 1"),
        ("[]", "it must be an object"),
        ("{}", "\"feed\" is missing"),
        (#"{"feed":7}"#, "\"feed\" must be a text"),
        (#"{"feed":"nwes","id":1}"#, "\"feed\" is 'nwes', which the newspaper lacks: write news or photos"),
        (#"{"feed":"news","title":"T"}"#, "\"id\" is missing"),
        (#"{"feed":"news","id":0,"title":"T"}"#, "\"id\" must be a whole number from 1 to 2000000000"),
        (#"{"feed":"news","id":2000000001,"title":"T"}"#, "\"id\" must be a whole number from 1 to 2000000000"),
        (#"{"feed":"news","id":1.5,"title":"T"}"#, "\"id\" must be a whole number"),
        (#"{"feed":"news","id":"1","title":"T"}"#, "\"id\" must be a whole number"),
        (#"{"feed":"news","id":1}"#, "\"title\" is missing"),
        (#"{"feed":"news","id":1,"title":["T"]}"#, "\"title\" must be a text"),
        (#"{"feed":"news","id":1,"titel":"T"}"#, "\"titel\" is unknown; did you mean 'title'?"),
        (
            #"{"feed":"news","id":1,"title":"T","language":"fr"}"#,
            "\"language\" is 'fr', which the newspaper lacks: write en or es, or leave it out for both"
        ),
        (#"{"feed":"news","id":1,"title":"T","expires":"tomorrow"}"#, "\"expires\" must be a date from 1970 to 2038"),
        (#"{"feed":"news","id":1,"title":"T","expires":"2039-01-01"}"#, "\"expires\" must be a date from 1970 to 2038"),
        (
            #"{"feed":"news","id":1,"title":"T","expires":"2036-12-01","publish":"2036-12-01"}"#,
            "\"expires\" must be after \"publish\": the story would end before it is published"
        ),
        (#"{"feed":"news","id":1,"title":"T","publish":"soon"}"#, "\"publish\" must be now, draft, or a date"),
        (#"{"feed":"news","id":1,"title":"T","tags":"a"}"#, "\"tags\" must be an array of texts that aren't empty"),
        (#"{"feed":"news","id":1,"title":"T","tags":["a",1]}"#, "\"tags\" must be an array of texts"),
        (#"{"feed":"news","id":1,"title":"T","tags":[""]}"#, "\"tags\" must be an array of texts"),
        (
            #"{"feed":"news","id":1,"title":"T","tags":["a","C#"]}"#,
            "\"tags\" has 'C#': write a tag without /, ?, # and %"
        ),
        (#"{"feed":"news","id":1,"title":"T","tags":["50%"]}"#, "\"tags\" has '50%': write a tag"),
        (
            #"{"feed":"photos","id":1,"url":"/a","width":1,"height":1,"tags":["a/b"]}"#,
            "\"tags\" has 'a/b': write a tag"
        ),
        (#"{"feed":"news","id":1,"title":"T","section_ids":[0]}"#, "\"section_ids\" must be a whole number from 1"),
        (#"{"feed":"news","id":1,"title":"T","section_ids":1}"#, "\"section_ids\" must be an array of whole numbers"),
        (#"{"feed":"news","id":1,"title":"T","online":1}"#, "\"online\" must be true or false"),
        (
            #"{"feed":"news","id":1,"title":"T","sort_id":9007199254740992}"#,
            "\"sort_id\" must be a whole number from 1"
        ),
        (#"{"feed":"photos","id":1,"width":1,"height":1}"#, "\"url\" is missing"),
        (#"{"feed":"photos","id":1,"url":"/a","width":1}"#, "\"height\" is missing"),
        (#"{"feed":"photos","id":1,"url":"/a","width":1,"height":1,"body":"B"}"#, "\"body\" is unknown"),
        (#"{"feed":"photos","id":1,"url":"/a","width":1,"height":1,"max_zoom":"2"}"#, "\"max_zoom\" must be a number"),
        (
            #"{"feed":"photos","id":1,"url":"/a","width":1,"height":1,"language":"en"}"#,
            "\"language\" must be left out: all languages share the photos"
        ),
    ])
    func `A wrong line is explained by its member`(text: String, message: String) throws {
        let mistake = try #require(throws: StoryLineError.self) { _ = try line(text) }
        #expect(mistake.description.hasPrefix(message), "\(mistake)")
    }

    @Test func `Bytes that are not UTF-8 are refused`() throws {
        let bytes = Array(#"{"feed":"news","id":1,"title":""#.utf8) + [0xC3, 0x28] + Array(#""}"#.utf8)
        let mistake = try #require(throws: StoryLineError.self) { _ = try StoryLine(parsing: bytes) }
        #expect(mistake.description.hasPrefix("it is not JSON: "), "\(mistake)")
    }
}
