import Backlot
import BacklotTesting
import Testing

@testable import DynamicViews

/// Paddings that a platform's widgets have by default, and names that the compiler knows.
@Suite(.timeLimit(.minutes(5))) struct DefaultPaddingTests {
    private func body(_ paddings: [Dialect.Platform: Padding], _ dialect: String) async throws -> String {
        var configuration = DynamicViewsConfiguration()
        configuration.defaultPaddings = paddings
        let server = try ViewServer(configuration: configuration) { views in
            views.view("v") { request in
                document {
                    section("s", id: "s") {
                        text("a", id: "a")
                        text("b", id: "b").padding(4)
                    }
                    if request.dialect.platform == .ios { developerMode(id: "d") { version(id: "v") } }
                }
                .style(.list)
            }
        }
        return try await server.get("/v.json?dialect=\(dialect)").text
    }

    @Test(
        arguments: [
            (
                [:], "ios",
                #"{"configuration":{"style":"list"},"widgets":[{"type":"section","id":"s","header":"s","items":["#
                    + #"{"type":"text","id":"a","text":"a"},{"type":"text","id":"b","text":"b","padding":[4]}]},"#
                    + #"{"type":"developerMode","id":"d","items":[{"type":"snabble.version","id":"v"}]}]}"#
            ),
            (
                [.ios: .axes(horizontal: 8, vertical: 2)], "ios",
                #"{"configuration":{"style":"list"},"widgets":[{"type":"section","id":"s","header":"s","items":["#
                    + #"{"type":"text","id":"a","text":"a","padding":[8,2]},"#
                    + #"{"type":"text","id":"b","text":"b","padding":[4]}]},{"type":"developerMode","id":"d","#
                    + #""items":[{"type":"snabble.version","id":"v","padding":[8,2]}]}]}"#
            ),
            (
                [.ios: .all(1), .android: .named(top: 1.4, leading: nil, bottom: nil, trailing: nil)], "android",
                #"{"configuration":{"image":"","style":"list","padding":[0]},"widgets":[{"type":"section","id":"s","#
                    + #""header":"s","items":[{"type":"text","id":"a","text":"a","padding":[0,1,0,0]},"#
                    + #"{"type":"text","id":"b","text":"b","padding":[4]}],"padding":[0,1,0,0]}]}"#
            ),
        ] as [([Dialect.Platform: Padding], String, String)]
    )
    func `A widget without a padding gets its platform's`(
        paddings: [Dialect.Platform: Padding],
        dialect: String,
        json: String
    ) async throws {
        #expect(try await body(paddings, dialect) == json)
    }

    @Test func `Colours and text styles are written by their names`() {
        let view = document {
            text("a", id: "a").textColor(.accent).textStyle(.title)
            text("b", id: "b").textColor("brand").textStyle(nil).textColor(nil)
            button("c", id: "c").foregroundColor(.label).backgroundColor(.systemBackground)
        }
        #expect(
            String(decoding: view.bytes(), as: UTF8.self)
                == #"{"configuration":{},"widgets":["#
                + #"{"type":"text","id":"a","text":"a","textColor":"accent","textStyle":"title"},"#
                + #"{"type":"text","id":"b","text":"b"},{"type":"button","id":"c","text":"c","foregroundColor":"label","#
                + #""backgroundColor":"systemBackground"}]}"#
        )
    }
}
