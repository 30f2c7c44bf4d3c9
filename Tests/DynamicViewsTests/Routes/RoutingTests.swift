import Backlot
import Testing

@testable import DynamicViews

/// The widget and the event of an interaction, without a server or a socket.
@Suite(.timeLimit(.minutes(5))) struct RoutingTests {
    struct Case: Sendable, CustomStringConvertible {
        let json: String
        /// The widget, the event, the element.
        var outcome: String?
        /// The status and the beginning of the text.
        var refusal: (Int, String)?

        var description: String { json }
    }

    private static let view = document {
        section("s", id: "s") {
            toggle("t", id: "s", key: "key.s")
            button("b", id: "b")
        }
        section("s2", id: "s2") {
            toggle("t", id: "b", key: "key.b")
        }
        toggle("t", id: "t", key: "key.t")
        multiValue("m", id: "m") {
            option("a", id: "m.a")
            option("b", id: "m.b")
        }
        lastPurchases(projectId: "shop", id: "p")
        customerCard(id: "card")
        locationPermission(id: "here")
        developerMode(id: "d") { button("r", id: "reset") }
        switchEnvironment("e", id: "e") { option("a", id: "e.a") }
        image("i", id: "picture")
        text("t", id: "words")
    }

    private static func case_(_ json: String, _ outcome: String) -> Case { Case(json: json, outcome: outcome) }

    private static func case_(_ json: String, _ status: Int, _ text: String) -> Case {
        Case(json: json, refusal: (status, text))
    }

    static let cases: [Case] = [
        // Taps carry the widget only; what else comes is kept.
        case_(#"{"widgetId":"b"}"#, "b tap nil"),
        case_(#"{"widgetId":"reset","x":1}"#, "reset tap nil"),
        case_(#"{"widgetId":"b","elementId":"e","userInfo":{"a":1}}"#, #"b tap e {"a":1}"#),
        case_(#"{"widgetId":"b","elementId":null,"userInfo":null}"#, "b tap nil"),
        case_(#"{"widgetId":"s2"}"#, "s2 tap nil"),
        // A toggle: its key. A parent and a child may share an id, and so may widgets of two sections.
        case_(#"{"widgetId":"t","userInfo":{"key.t":true}}"#, #"t toggle(true) nil {"key.t":true}"#),
        case_(#"{"widgetId":"t","userInfo":{"key.t":false}}"#, #"t toggle(false) nil {"key.t":false}"#),
        case_(#"{"widgetId":"s","userInfo":{"key.s":true}}"#, #"s toggle(true) nil {"key.s":true}"#),
        case_(#"{"widgetId":"b","userInfo":{"key.b":true}}"#, #"b toggle(true) nil {"key.b":true}"#),
        case_(#"{"widgetId":"b","userInfo":{"checked":true}}"#, #"b toggle(true) nil {"checked":true}"#),
        case_(#"{"widgetId":"b","userInfo":{"checked":1}}"#, #"b tap nil {"checked":1}"#),
        // Android clients say only whether it is on.
        case_(#"{"widgetId":"t","userInfo":{"checked":true}}"#, #"t toggle(true) nil {"checked":true}"#),
        case_(#"{"widgetId":"t","userInfo":{"checked":false}}"#, #"t toggle(false) nil {"checked":false}"#),
        case_(#"{"widgetId":"s","userInfo":{"checked":true}}"#, #"s toggle(true) nil {"checked":true}"#),
        case_(
            #"{"widgetId":"t","userInfo":{"checked":true,"key.t":false}}"#,
            #"t toggle(false) nil {"checked":true,"key.t":false}"#
        ),
        case_(#"{"widgetId":"t","userInfo":{"checked":"true"}}"#, 400, "userInfo of the toggle"),
        case_(#"{"widgetId":"t","userInfo":{"checked":null}}"#, 400, "userInfo of the toggle"),
        case_(
            #"{"widgetId":"t"}"#,
            400,
            #"userInfo of the toggle "t" must be {"key.t": true or false} or {"checked": true or false}"#
        ),
        case_(#"{"widgetId":"t","userInfo":{"key.t":"true"}}"#, 400, "userInfo of the toggle"),
        case_(#"{"widgetId":"t","userInfo":{"other":true}}"#, 400, "userInfo of the toggle"),
        // A choice: the option's id, or its last component.
        case_(#"{"widgetId":"m","userInfo":{"value":"m.a"}}"#, #"m choice("m.a") nil {"value":"m.a"}"#),
        case_(#"{"widgetId":"m","userInfo":{"value":"b"}}"#, #"m choice("m.b") nil {"value":"b"}"#),
        case_(
            #"{"widgetId":"m"}"#,
            400,
            #"userInfo of the multiValue "m" must be {"value": "an option's id"} or {"sel"#
        ),
        case_(#"{"widgetId":"e","userInfo":{"selection":"e.a"}}"#, #"e choice("e.a") nil {"selection":"e.a"}"#),
        case_(#"{"widgetId":"e","userInfo":{"selection":7}}"#, 400, "userInfo of the snabble.switchEnvironment"),
        case_(#"{"widgetId":"e","userInfo":{"selection":"x"}}"#, 400, #""x" isn't an option of "e", which has e.a"#),
        // Images and texts are tapped too.
        case_(#"{"widgetId":"picture"}"#, "picture tap nil"),
        case_(#"{"widgetId":"words"}"#, "words tap nil"),
        case_(#"{"widgetId":"m","userInfo":{"value":5}}"#, 400, "userInfo of the multiValue"),
        case_(#"{"widgetId":"m","userInfo":{"value":"c"}}"#, 400, #""c" isn't an option of "m", which has m.a, m.b"#),
        // Purchases: more, or a receipt.
        case_(#"{"widgetId":"p"}"#, "p more nil"),
        case_(#"{"widgetId":"p","elementId":"more"}"#, "p more more"),
        case_(
            #"{"widgetId":"p","elementId":"Snabble.Dashboard.Purchases.more"}"#,
            "p more Snabble.Dashboard.Purchases.more"
        ),
        case_(#"{"widgetId":"p","elementId":"Other.Purchases.more"}"#, "p more Other.Purchases.more"),
        case_(#"{"widgetId":"p","elementId":"12345"}"#, #"p receipt("12345") 12345"#),
        case_(#"{"widgetId":"p","elementId":"anymore"}"#, #"p receipt("anymore") anymore"#),
        case_(#"{"widgetId":"p","userInfo":{"id":"12345"}}"#, #"p receipt("12345") nil {"id":"12345"}"#),
        case_(
            #"{"widgetId":"p","elementId":"12345","userInfo":{"id":"12345"}}"#,
            #"p receipt("12345") 12345 {"id":"12345"}"#
        ),
        case_(#"{"widgetId":"p","elementId":"1","userInfo":{"id":"2"}}"#, 400, "elementId names the receipt"),
        case_(#"{"widgetId":"p","userInfo":{"id":7}}"#, 400, "the id of a receipt must be a string, not the number 7"),
        // Ids that widgets call themselves by.
        case_(#"{"widgetId":"card"}"#, "card tap nil"),
        case_(
            #"{"widgetId":"Snabble.DynamicView.CustomerCard.information"}"#,
            "card tap Snabble.DynamicView.CustomerCard.information"
        ),
        case_(
            #"{"widgetId":"Snabble.LocationPermission.notDetermined"}"#,
            "here tap Snabble.LocationPermission.notDetermined"
        ),
        case_(
            #"{"widgetId":"Snabble.LocationPermission.denied-restricted","elementId":"e"}"#,
            "here tap e"
        ),
        case_(#"{"widgetId":"Snabble.LocationPermission.granted"}"#, 404, "this view has no widget"),
        // Interactions that can't be routed.
        case_(
            #"{"widgetId":"x"}"#,
            404,
            #"this view has no widget "x"; its widgets are s, s, b, s2, b, t, m, p, card"#
        ),
        case_(#"{"widgetId":""}"#, 404, "this view has no widget"),
        case_("{}", 400, "widgetId is missing: send"),
        case_("[]", 400, "the interaction is not an object: send"),
        case_(#"{"widgetId":5}"#, 400, "widgetId is not a string"),
        case_(#"{"widgetId":"b","elementId":5}"#, 400, "elementId is not a string"),
        case_(#"{"widgetId":"b","userInfo":[]}"#, 400, "userInfo is not an object"),
    ]

    @Test(arguments: cases)
    func `An interaction is with a widget, or refused`(test: Case) throws {
        let value = try JSONValue(parsing: test.json)
        do throws(InteractionError) {
            let interaction = try InteractionRouting(Self.view).interaction(for: InteractionPacket(value))
            let info = interaction.userInfo.count == 0 ? "" : " \(JSONValue.object(interaction.userInfo))"
            let outcome =
                "\(interaction.widgetID) \(interaction.event) \(interaction.elementID ?? "nil")\(info)"
            #expect(outcome == test.outcome)
        } catch {
            #expect(error.status.code == test.refusal?.0)
            #expect(error.reason.hasPrefix(test.refusal?.1 ?? "nothing"), "\(error.reason)")
        }
    }

    @Test func `A special id of a document's own goes before the widget that calls itself so`() throws {
        let id = "Snabble.DynamicView.CustomerCard.information"
        let view = document {
            customerCard(id: "card")
            button("b", id: id)
        }
        let interaction = try InteractionRouting(view).interaction(for: InteractionPacket(widgetID: id))
        #expect(interaction.widgetID == id)
        #expect(interaction.elementID == nil)
        #expect(throws: InteractionError.self) {
            try InteractionRouting(document { button("b", id: "b") }).interaction(for: InteractionPacket(widgetID: id))
        }
    }
}
