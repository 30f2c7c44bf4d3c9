import Testing

@testable import BacklotMocks

@Suite(.timeLimit(.minutes(5))) struct XMLDocumentTests {
    static let planets =
        #"<sky xmlns:p="urn:planets"><planet name="Earth" position="3">blue</planet><p:planet name="Mars"/><!-- far --></sky>"#

    @Test(arguments: [
        ("//planet[@name='Earth']", ##"nodes([<planet name="Earth" position="3">blue</planet>])"##),
        ("/sky/planet/@name", "nodes([Earth, Mars])"),
        ("//planet/text()", "nodes([blue])"),
        ("//star", "nodes([])"),
        ("count(//planet)", "number(2.0)"),
        ("string(//planet[1])", "text(blue)"),
        ("//planet[2]/@name = 'Mars'", "bool(true)"),
        ("local-name(/*)", "text(sky)"),
    ])
    func `A path leads to values`(path: String, expected: String) throws {
        let found = try XPath(path).values(inText: Self.planets)
        let text =
            switch found {
            case .nodes: "nodes([\(found.sources.joined(separator: ", "))])"
            case .text(let text): "text(\(text))"
            case .number(let number): "number(\(number))"
            case .bool(let bool): "bool(\(bool))"
            }
        #expect(text == expected)
    }

    @Test func `Combining marks after 128 in a row become U+FFFD`() throws {
        let references = String(repeating: "&#x301;", count: 100)
        // A comment parts the text in two.
        let source = "<a b=\"\(references)\(references)\">\(references)<!-- -->\(references)</a>"
        let text = String(repeating: "\u{301}", count: 128) + String(repeating: "\u{FFFD}", count: 72)
        let element = try XMLElement(parsing: source)
        #expect(element.attributes.map(\.value) == [text])
        #expect(element.children == [.text(text)])
        #expect(try XPath("/a/@b").values(inText: source).sources == [text])
        guard case .text(let found) = try XPath("string(/a)").values(inText: source) else {
            Issue.record("a text is expected")
            return
        }
        #expect(found == text)
    }

    @Test func `Namespaces count where a path names them`() throws {
        let path = try XPath("/sky/x:planet/@name", namespaces: ["x": "urn:planets"])
        #expect(try path.values(inText: Self.planets).sources == ["Mars"])
        // A prefix that isn't declared is ignored with all others.
        let envelope = "<s:Envelope><s:Body>hi</s:Body></s:Envelope>"
        #expect(try XPath("/Envelope/Body").values(inText: envelope).sources == ["<Body>hi</Body>"])
    }

    @Test(arguments: [
        ("//[", "it isn't XPath 1.0"),
        ("//a:b", "a prefix in it stands for no namespace; name its namespace in xPathNamespaces"),
        ("later(//a)", "a function in it is not known to XPath 1.0"),
        ("$x", "a variable in it has no value"),
        (
            String(repeating: "(", count: 60) + "1" + String(repeating: ")", count: 60),
            "more than 50 brackets stand in each other"
        ),
    ])
    func `A path that can't be followed says why`(path: String, message: String) {
        let problem = #expect(throws: XMLError.self) { try XPath(path) }
        #expect(problem?.text == message)
    }

    @Test(arguments: [
        ("", "an empty text is no XML"),
        ("hello", "Start tag expected, '<' not found, in line 1"),
        ("<a>\n<b></a>", "Premature end of data in tag a line 1, in line 2"),
        (
            "<!DOCTYPE a [<!ENTITY x \"y\"><!ENTITY z \"&x;&x;&x;\">]><a>&z;</a>",
            "it declares entities, which are not read here"
        ),
        (
            "<!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/hostname\">]><a>&x;</a>",
            "it declares entities, which are not read here"
        ),
        ("<!DOCTYPE a [<!ENTITY % x \"y\">]><a/>", "it declares entities, which are not read here"),
    ])
    func `What is no XML, or unsafe, says why`(text: String, message: String) {
        let problem = #expect(throws: XMLError.self) { try XMLDocument(parsing: text) }
        #expect(problem?.description == message)
    }

    /// libxml2's time rises with the square of some parts. The texts here are just long enough to be refused.
    @Test(arguments: [
        (
            "<!DOCTYPE a [<!ATTLIST a b CDATA #IMPLIED>]><a>" + String(repeating: " ", count: 17_000) + "</a>",
            "XML of more than 16384 bytes that declares types, as with <!ATTLIST, is not read"
        ),
        (
            "<!DOCTYPE a [<!ATTLIST b " + (0..<400).map { "k\($0) CDATA '' " }.joined() + ">]><a>"
                + String(repeating: "<b/>", count: 1200) + "</a>",
            "it has too many namespaces and attributes"
        ),
        (
            "<a " + (0..<4000).map { "xmlns:n\($0)='u' " }.joined() + ">"
                + String(repeating: "<b c='' d='' e='' f='' g=''/>", count: 5000) + "</a>",
            "it has too many namespaces and attributes"
        ),
        (
            (0..<3).map { level in "<a " + (0..<4000).map { "xmlns:n\(level)_\($0)='u' " }.joined() + ">" }.joined()
                + "</a></a></a>",
            "it has too many namespaces and attributes"
        ),
    ])
    func `Documents whose parts would be compared too often are given up`(text: String, message: String) {
        let problem = #expect(throws: XMLError.self) { try XMLDocument(parsing: text) }
        #expect(problem?.text == message)
        #expect(problem?.isGivenUp == true)
    }

    @Test func `Comments, CDATA, a DOCTYPE and namespaces in each element are usual`() throws {
        let rows = (0..<5000).map { "<i:row xmlns:i='urn:x' xmlns:j='urn:y' j:k='\($0)'/><!-- c -->" }.joined()
        let text = "<!DOCTYPE a SYSTEM 'a.dtd'><a><![CDATA[<!doctype html>]]>\(rows)</a>"
        #expect(try XMLDocument(parsing: text).nodeCount > 10_000)
        let small = "<!DOCTYPE a [<!ATTLIST a b CDATA 'c'>]><a b='d'/>"
        #expect(try XPath("/a/@b").values(inText: small).sources == ["d"])
        // What the text says about its encoding doesn't matter any more.
        let latin = "<?xml version='1.0' encoding='ISO-8859-1'?><a>é</a>"
        #expect(try XPath("string(/a)").values(inText: latin) == .text("é"))
    }

    @Test func `Usual paths are followed in large documents`() throws {
        let items = (0..<16_000).map { "<item id='\($0)'><name>n\($0)</name></item>" }.joined()
        let path = try XPath("//item[@id='15999' and contains(name, 'n1')]/name/text()")
        #expect(try path.values(inText: "<r>\(items)</r>").sources == ["n15999"])
    }

    @Test func `What is too large is not read`() {
        let long = "<a>" + String(repeating: "b", count: XMLDocument.largest) + "</a>"
        #expect(throws: XMLError("XML of more than 1048576 bytes is not read", isGivenUp: true)) {
            try XMLDocument(parsing: long)
        }
        let wide = "<a>" + String(repeating: "<b/>", count: XMLDocument.mostNodes) + "</a>"
        #expect(throws: XMLError("XML of more than 50000 nodes is not read", isGivenUp: true)) {
            try XMLDocument(parsing: wide)
        }
        for count in [5000, 100_000] {
            let attributes = (0..<count).map { " a\($0)=''" }.joined()
            let text = "XML with 5000 or more equals signs in a tag, or after it, is not read"
            #expect(throws: XMLError(text, isGivenUp: true)) { try XMLDocument(parsing: "<r><a\(attributes)/></r>") }
        }
        #expect(throws: Never.self) {
            try XMLDocument(parsing: "<r><a\((0..<4999).map { " a\($0)=''" }.joined())/></r>")
        }
        let deep = String(repeating: "<a>", count: 400) + String(repeating: "</a>", count: 400)
        #expect(throws: XMLError.self) { try XMLDocument(parsing: deep) }
    }

    @Test(
        .timeLimit(.minutes(1)),
        arguments: ["//*[//*[. = //*]]", "//*[//a = //b]", "//*//*//*//*", "//*[count(//*[count(//*) > 1]) > 1]"]
    )
    func `A path that takes too many steps is given up`(source: String) throws {
        let path = try XPath(source)
        for count in [90, 3000, 20_000] {
            let text = "<r>" + (0..<count).map { "<a>\($0)</a>" }.joined() + "<b>x</b></r>"
            let start = ContinuousClock.now
            do throws(XMLError) {
                _ = try path.values(inText: text)
            } catch {
                #expect(error.text.contains("given up"))
            }
            #expect(ContinuousClock.now - start < .seconds(10), "\(count)")
        }
    }
}
