import Backlot
import Testing

@testable import DynamicViews

/// The exact bytes of what the functions make, in both dialects, and that they are read again.
@Suite(.timeLimit(.minutes(5))) struct EncodingTests {
    struct Case: Sendable {
        let widget: any Widget
        /// nil: iOS clients don't know it.
        var ios: String?
        /// nil: Android clients don't know it.
        var android: String?
    }

    static let cases: [Case] = [
        Case(
            widget: text("T", id: "1"),
            ios: #"{"type":"text","id":"1","text":"T"}"#,
            android: #"{"type":"text","id":"1","text":"T","padding":[0]}"#
        ),
        Case(
            widget: text("T\"", id: "é").textColor("label").textStyle("title").showDisclosure().padding(4),
            ios: #"{"type":"text","id":"é","text":"T\"","textColor":"label","textStyle":"title","#
                + #""showDisclosure":true,"padding":[4]}"#,
            android: #"{"type":"text","id":"é","text":"T\"","textColor":"label","textStyle":"title","#
                + #""showDisclosure":true,"padding":[4]}"#
        ),
        Case(
            widget: image("I", id: "1").padding(horizontal: 30, vertical: 16),
            ios: #"{"type":"image","id":"1","image":"I","padding":[30,16]}"#,
            android: #"{"type":"image","id":"1","image":"I","padding":[30,16]}"#
        ),
        Case(
            widget: button("B", id: "1").foregroundColor("label").backgroundColor("systemBackground"),
            ios: #"{"type":"button","id":"1","text":"B","foregroundColor":"label","#
                + #""backgroundColor":"systemBackground"}"#,
            android: #"{"type":"button","id":"1","text":"B","foregroundColor":"label","#
                + #""backgroundColor":"systemBackground","padding":[0]}"#
        ),
        Case(
            widget: information("I", id: "1", hideable: false).image("P"),
            ios: #"{"type":"information","id":"1","text":"I","image":"P","hideable":false}"#,
            android: #"{"type":"information","id":"1","text":"I","image":"P","padding":[0]}"#
        ),
        Case(
            widget: toggle("T", id: "1", key: "k").padding(top: 1, trailing: 2),
            ios: #"{"type":"toggle","id":"1","text":"T","key":"k","padding":{"top":1,"trailing":2}}"#,
            android: #"{"type":"toggle","id":"1","text":"T","key":"k","padding":[0,1,0,2]}"#
        ),
        Case(
            widget: section("H", id: "s") { allStores(id: "s") },
            ios: #"{"type":"section","id":"s","header":"H","items":[{"type":"snabble.allStores","id":"s"}]}"#,
            android: #"{"type":"section","id":"s","header":"H","items":[{"type":"snabble.allStores","id":"s","#
                + #""padding":[0]}],"padding":[0]}"#
        ),
        Case(
            widget: navigation("N", id: "1", resource: "Profile"),
            ios: #"{"type":"navigation","id":"1","text":"N","resource":"Profile"}"#
        ),
        Case(
            widget: multiValue("M", id: "m") {
                option("A", id: "m.a")
                option("B", id: "m.b")
            },
            ios:
                #"{"type":"multiValue","id":"m","text":"M","values":[{"id":"m.a","text":"A"},{"id":"m.b","text":"B"}]}"#
        ),
        Case(
            widget: developerMode(id: "d") {},
            ios: #"{"type":"developerMode","id":"d","items":[]}"#
        ),
        Case(
            widget: customerCard(id: "1").projectId("p").text("C").image("I"),
            ios: #"{"type":"snabble.customerCard","id":"1","projectId":"p"}"#,
            android: #"{"type":"snabble.customerCard","id":"1","text":"C","image":"I","projectId":"p","padding":[0]}"#
        ),
        Case(
            widget: lastPurchases(projectId: "p", id: "1"),
            ios: #"{"type":"snabble.lastPurchases","id":"1","projectId":"p"}"#,
            android: #"{"type":"snabble.lastPurchases","id":"1","projectId":"p","padding":[0]}"#
        ),
        Case(
            widget: locationPermission(id: "1"),
            ios: #"{"type":"snabble.locationPermission","id":"1"}"#,
            android: #"{"type":"snabble.locationPermission","id":"1","padding":[0]}"#
        ),
        Case(
            widget: startShopping(id: "1").padding(.edges(leading: 1, top: 2, bottom: 3, trailing: 4)),
            ios: #"{"type":"snabble.startShopping","id":"1","padding":[1,2,3,4]}"#,
            android: #"{"type":"snabble.startShopping","id":"1","padding":[1,2,3,4]}"#
        ),
        Case(
            widget: allStores(id: "1"),
            ios: #"{"type":"snabble.allStores","id":"1"}"#,
            android: #"{"type":"snabble.allStores","id":"1","padding":[0]}"#
        ),
        Case(
            widget: connectWifi(id: "1"),
            ios: #"{"type":"snabble.connectWifi","id":"1"}"#,
            android: #"{"type":"snabble.connectWifi","id":"1","padding":[0]}"#
        ),
        Case(
            widget: version(id: "1"),
            ios: #"{"type":"snabble.version","id":"1"}"#,
            android: #"{"type":"snabble.version","id":"1","padding":[0]}"#
        ),
        Case(
            widget: version(id: "1").padding(.edges(leading: 0.4, top: -0.4, bottom: 1.5, trailing: 2)),
            ios: #"{"type":"snabble.version","id":"1","padding":[0.4,-0.4,1.5,2]}"#,
            android: #"{"type":"snabble.version","id":"1","padding":[0,0,2,2]}"#
        ),
        Case(
            widget: devSettings("D", id: "1"),
            android: #"{"type":"snabble.devSettings","id":"1","text":"D","padding":[0]}"#
        ),
        Case(
            widget: clientId(id: "1").padding(8),
            android: #"{"type":"snabble.clientId","id":"1","padding":[8]}"#
        ),
        Case(
            widget: appUserId(id: "1"),
            android: #"{"type":"snabble.appUserId","id":"1","padding":[0]}"#
        ),
        Case(
            widget: switchEnvironment("S", id: "e") { option("A", id: "e.a") },
            android: #"{"type":"snabble.switchEnvironment","id":"e","text":"S","#
                + #""values":[{"id":"e.a","text":"A"}],"padding":[0]}"#
        ),
    ]

    @Test func `Every kind of widget is here`() {
        let kinds = DynamicViewsVocabulary.all.kinds(as: .widget).map(\.name)
        #expect(Set(Self.cases.map { "\($0.widget.type)" }) == Set(kinds).subtracting(["version"]))
    }

    @Test(arguments: cases.indices)
    func `Each widget has its exact bytes, which read back and break no rule`(index: Int) throws {
        let test = Self.cases[index]
        let isSection = test.widget is Section
        for (dialect, widget) in [(Dialect.ios, test.ios), (.android, test.android)] {
            let made = document { test.widget }.style(isSection ? .list : .scroll)
            let bytes = made.bytes(for: dialect)
            let value = try JSONValue(parsing: bytes)
            let rules = DynamicViewsRules.findings(in: value, name: "d", dialect: dialect).map(\.rule)
            guard let widget else {
                #expect(rules == ["widget-of-other-dialect"])
                #expect(throws: DocumentError.self) { try Document(value, dialect: dialect) }
                continue
            }
            let style = isSection ? "list" : "scroll"
            let (image, padding) = dialect == .android ? (#""image":"","#, #","padding":[0]"#) : ("", "")
            let json = Reference.document(widget, configuration: #"{\#(image)"style":"\#(style)"\#(padding)}"#)
            #expect(String(decoding: bytes, as: UTF8.self) == json)
            #expect(rules == [])
            #expect(try Document(value, dialect: dialect).bytes(for: dialect) == bytes)
        }
    }

    @Test(arguments: ["version", "snabble.version"])
    func `The version has the type that all clients know, and either spelling is read`(type: String) throws {
        let value = try JSONValue(parsing: Reference.document(#"{"type":"\#(type)","id":"v"}"#))
        for dialect in [Dialect.ios, .android] {
            let bytes = try Document(value).bytes(for: dialect)
            #expect(bytes == document { version(id: "v") }.bytes(for: dialect))
            #expect(try JSONValue(parsing: bytes)["widgets"]?[0]?["type"] == "snabble.version")
        }
    }

    @Test func `An empty document has an empty configuration for its platform`() throws {
        #expect(String(decoding: document {}.bytes(), as: UTF8.self) == #"{"configuration":{},"widgets":[]}"#)
        #expect(
            String(decoding: document {}.bytes(for: .android), as: UTF8.self)
                == #"{"configuration":{"image":"","style":"scroll","padding":[0]},"widgets":[]}"#
        )
    }

    @Test func `A list is built from statements of all kinds`() {
        let shows = true
        let more: [any Widget] = [text("b", id: "b"), text("c", id: "c")]
        let made = document {
            if shows { text("a", id: "a") }
            more
            for index in 0..<2 { image("i", id: "\(index)") }
            if !shows { version(id: "x") } else { version(id: "v") }
        }
        #expect(made.widgets.map(\.id) == ["a", "b", "c", "0", "1", "v"])
        #expect(document { section("s", id: "s") { made.widgets } }.allWidgets.map(\.id).first == "s")
    }
}
