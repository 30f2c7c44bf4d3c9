import Applin
import BacklotJSON
import Testing

@Suite(.timeLimit(.minutes(5))) struct NavPageTests {
    private func make() -> NavPage {
        navPage("Title") { empty() }
    }

    @Test func `A nav page has a title and a widget`() {
        #expect(encoded(make()) == #"{"typ":"nav_page","title":"Title","widget":{"typ":"empty"}}"#)
    }

    @Test func `A nav page writes its options before its widget`() {
        let page = make().poll(every: .seconds(2)).ephemeral()
            .start {
                backButton {
                    rpc("/save_note")
                    pop()
                }
            }
            .end { text("end") }
        #expect(
            encoded(page)
                == #"{"typ":"nav_page","title":"Title","start":{"typ":"back_button","actions":["rpc:/save_note","pop"]},"#
                + #""end":{"typ":"text","text":"end"},"poll_seconds":2,"ephemeral":true,"widget":{"typ":"empty"}}"#
        )
        #expect(page.children.map(\.typ.description) == ["empty", "text"])
    }

    private static let scrolled = #"{"typ":"scroll","widget":{"typ":"#

    @Test(
        arguments: [
            (
                navPage("T", poll: .seconds(2), ephemeral: true, start: backButton(rpc("/save"), pop())) { empty() },
                #""start":{"typ":"back_button","actions":["rpc:/save","pop"]},"poll_seconds":2,"ephemeral":true,"widget":{"typ":"empty"}"#
            ),
            (formPage("T") {}, #""widget":\#(scrolled)"form","widgets":[]}}"#),
            (
                formPage("T", poll: .seconds(5), start: empty()) { for text in ["a", "b"] { Applin.text(text) } },
                #""start":{"typ":"empty"},"poll_seconds":5,"widget":\#(scrolled)"form","widgets":[{"typ":"text","text":"a"},"#
                    + #"{"typ":"text","text":"b"}]}}"#
            ),
            (
                listPage("T", ephemeral: false) { text("a") },
                #""ephemeral":false,"widget":\#(scrolled)"column","align":"start","widgets":[{"typ":"text","text":"a"}]}}"#
            ),
        ]
    )
    func `Facts come first, and short pages scroll`(page: NavPage, rest: String) {
        #expect(encoded(page) == #"{"typ":"nav_page","title":"T",\#(rest)}"#)
    }

    @Test func `An empty start replaces the back button`() {
        #expect(
            encoded(make().start { empty() })
                == #"{"typ":"nav_page","title":"Title","start":{"typ":"empty"},"widget":{"typ":"empty"}}"#
        )
    }

    @Test func `Without a start and a poll, a nav page has no keys for them`() {
        #expect(encoded(make().poll(every: nil)) == encoded(make()))
        #expect(make().children.map(\.typ.description) == ["empty"])
    }

    @Test func `A nav page stands under page in a response body`() {
        let body = #"{"page":{"typ":"nav_page","title":"Title","widget":{"typ":"empty"}}}"#
        #expect(String(decoding: make().responseBody(), as: UTF8.self) == body)
        var writer = JSONWriter()
        make().encodeResponseBody(into: &writer)
        #expect(writer.bytes == Array(body.utf8))
    }
}

@Suite(.timeLimit(.minutes(5))) struct PlainPageTests {
    @Test func `A plain page needs only a widget`() {
        #expect(encoded(plainPage { empty() }) == #"{"typ":"plain_page","widget":{"typ":"empty"}}"#)
        #expect(
            encoded(plainPage(poll: .seconds(1), ephemeral: true) { empty() })
                == #"{"typ":"plain_page","poll_seconds":1,"ephemeral":true,"widget":{"typ":"empty"}}"#
        )
    }

    @Test func `A plain page writes its options before its widget`() {
        let page = plainPage("Title") { text("a") }.poll(every: .seconds(30)).ephemeral(false)
        #expect(
            encoded(page)
                == #"{"typ":"plain_page","title":"Title","poll_seconds":30,"ephemeral":false,"widget":{"typ":"text","text":"a"}}"#
        )
        #expect(page.children.map(\.typ.description) == ["text"])
    }

    @Test func `A plain page stands under page in a response body`() {
        #expect(
            String(decoding: plainPage { empty() }.responseBody(), as: UTF8.self)
                == #"{"page":{"typ":"plain_page","widget":{"typ":"empty"}}}"#
        )
    }
}
