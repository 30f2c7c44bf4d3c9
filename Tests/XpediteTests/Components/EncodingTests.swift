import BacklotJSON
import FoundationEssentials
import Testing

@testable import Xpedite

/// The exact bytes of what the functions make.
@Suite(.timeLimit(.minutes(5))) struct EncodingTests {
    static let parts: [(any Part, String)] = [
        (
            label("Hi").color("#333333").background("#FFFFFF").font("Courier").fontsize(20).align(.center).id("l"),
            ##"{"type":"label","id":"l","text":"Hi","color":"#333333","font":"Courier","fontsize":20,"align":"centre","##
                + ##""background":"#FFFFFF"}"##
        ),
        (image(id: "logo").size(width: .percent(50)), #"{"type":"image","id":"logo","size":{"width%":50}}"#),
        (image(url: "https://a.b/c"), #"{"type":"image","url":"https://a.b/c"}"#),
        (
            button("Save").style(.button).icon("plus").method(
                MethodCall("save", ["a": 1]).formdata().navigation("root")
            ),
            #"{"type":"button","text":"Save","icon":"plus","style":"button","method":{"function":"save","#
                + #""parameters":{"a":1},"formdata":true,"navigation":"root"}}"#
        ),
        (button(icon: "plus").method("add"), #"{"type":"button","icon":"plus","method":{"function":"add"}}"#),
        (
            textbox(name: "email").title("Email").placeholder("you@example.com").value("a").keyboard(.email).returnkey(
                .next
            )
            .onEnter("pwd").autotextDisabled().focus().id("e"),
            #"{"type":"textbox","id":"e","name":"email","title":"Email","placeholder":"you@example.com","value":"a","#
                + #""keyboard":"email","returnkey":"next","onEnter":"pwd","autotext":"disable","focus":true}"#
        ),
        (password(name: "pwd").size(Size(height: 44)), #"{"type":"password","name":"pwd","size":{"height":44}}"#),
        (
            scrollview { label("a") }.background("#000000"),
            ##"{"type":"scrollview","background":"#000000","components":[{"type":"label","text":"a"}]}"##
        ),
        (web(url: "https://a.b/"), #"{"type":"web","web":"https://a.b/"}"#),
        (web(content: "<b>\"</b>"), #"{"type":"web","content":"<b>\"</b>"}"#),
        (
            table("list") { cell("n").width(60).lines(0) }.header {
                heading("N").scroll(.off); heading("M")
            }
            .clickRow("view", selected: "id").refresh("Pull"),
            #"{"type":"table","data":{"dynamic":"list"},"refresh":"Pull","header":[{"text":"N","scroll":"off"},"#
                + #"{"text":"M","scroll":"off"}],"cell":[{"field":"n","width%":60,"lines":0}],"#
                + #""clickRow":{"function":"view","selected":"id"}}"#
        ),
        (
            form(id: "f") {
                section("S"); checkbox(name: "c").title("C").value(true)
            }.style(.dialog).title("T")
                .save("s", "Go").cancel("home", "No"),
            #"{"type":"form","id":"f","style":"dialog","title":"T","save":{"function":"s"},"saveNavigation":"Go","#
                + #""cancel":{"function":"home"},"cancelNavigation":"No","components":[{"type":"section","title":"S"},"#
                + #"{"type":"checkbox","name":"c","title":"C","value":"1"}]}"#
        ),
        (
            textview(name: "n").title("N").placeholder("P").value("v"),
            #"{"type":"textview","name":"n","title":"N","placeholder":"P","value":"v"}"#
        ),
        (
            date(name: "d").title("D").value(Day(year: 1990, month: 6, day: 5)),
            #"{"type":"date","name":"d","title":"D","value":"1990-06-05"}"#
        ),
        (
            select(name: "s", options: ["b": "B", "a": "A"]).title("S").value("a"),
            #"{"type":"select","name":"s","title":"S","value":"a","options":{"a":"A","b":"B"}}"#
        ),
        (radio(name: "r", options: ["a": "A"]), #"{"type":"radio","name":"r","options":{"a":"A"}}"#),
        (
            slideFrom(.left, id: "m") {
                menuEntry("A", "a").icon("i")
                menuDivider()
                menuHeader("H")
            }
            .shade(40),
            #"{"type":"navigation","id":"m","implementation":{"style":"slidefrom","position":"left"},"#
                + #""effects":{"shade%":40},"components":[{"type":"menuEntry","text":"A","icon":"i","#
                + #""method":{"function":"a"}},{"type":"menuEntry"},{"type":"menuEntry","text":"H"}]}"#
        ),
        (
            barButton(.right, icon: "plus") { menuEntry("add") },
            #"{"type":"navigation","implementation":{"style":"button","position":"right","icon":"plus"},"#
                + #""components":[{"type":"menuEntry","method":{"function":"add"}}]}"#
        ),
    ]

    @Test func `A colour is a value`() throws {
        let made = label("a").color(Color(0, 128, 255)).background(.white)
        let value = try JSONValue(parsing: made.bytes)
        #expect(value["color"] == "#0080FF" && value["background"] == "#FFFFFF")
        #expect(Page { made }.background(.black).background == "#000000")
    }

    @Test(arguments: parts.indices)
    func `Each component has its exact bytes`(index: Int) {
        let (part, json) = Self.parts[index]
        #expect(String(decoding: part.bytes, as: UTF8.self) == json)
    }

    @Test(arguments: [
        (Size(width: 1, height: 2, x: 3, y: 4), #"{"width":1,"height":2,"x":3,"y":4}"#),
        (
            Size(width: .percent(50), height: .percent(1.5), x: .percent(2), y: .percent(3)),
            #"{"width%":50,"height%":1.5,"x%":2,"y%":3}"#
        ),
        (
            Size(width: .relative(1), height: .relative(2), x: .after(3), y: .after(4)),
            #"{"relative-width%":1,"relative-height%":2,"x+":3,"y+":4}"#
        ),
        (Size(x: .center, y: .center), #"{"centrex":0,"centrey":0}"#),
    ])
    func `Each key of a size goes out and comes back`(size: Size, json: String) throws {
        let bytes = label("x").size(size).bytes
        #expect(String(decoding: bytes, as: UTF8.self) == #"{"type":"label","text":"x","size":\#(json)}"#)
        #expect(try Values(object: #require(JSONValue(parsing: json).object)).size == size)
    }

    @Test func `A page has its exact bytes`() {
        let page = page("T") { label("a") }
            .id("p").background("#111111").disposition(.expiry(.seconds(60)))
            .setDefaults(Defaults(font: "F", fontsize: 9, background: "#222222"))
            .images([Preload(id: "i", url: "https://a.b/c", load: .critical)]).time(Date(timeIntervalSince1970: 7)).rc(
                1
            )
        let json = String(decoding: Packet(page, version: 3, token: "t").bytes, as: UTF8.self)
        #expect(
            json == ##"{"rc":1,"version":3,"token":"t","title":"T","id":"p","background":"#111111","##
                + ##""disposition":{"type":"expiry","seconds":60},"setDefaults":{"font":"F","fontsize":9,"##
                + ##""background":"#222222"},"images":[{"id":"i","url":"https://a.b/c","load":"critical"}],"##
                + ##""time":7,"components":[{"type":"label","text":"a"}]}"##
        )
    }
}
