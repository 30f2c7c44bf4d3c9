import Backlot
import Testing

@testable import DynamicViews

/// The documents of the reference, unchanged.
@Suite(.timeLimit(.minutes(5))) struct ReferenceTests {
    @Test func `The dashboard is no strict JSON, and is read`() throws {
        let error = #expect(throws: JSONParseError.self) { try JSONValue(parsing: Reference.dashboard) }
        #expect(error?.kind == .trailingComma)
        let imported = try ImportedDocument(parsing: Reference.dashboard)
        #expect(imported.changes == [.trailingComma(line: 36, column: 10), .trailingComma(line: 40, column: 10)])
        #expect(DynamicViewsRules.findings(in: imported.value, name: "dashboard") == [])
        let document = try Document(imported.value)
        #expect(
            document.widgets.map { "\($0.type)" } == [
                "image", "text", "text", "snabble.locationPermission", "snabble.startShopping", "snabble.allStores",
                "snabble.connectWifi", "snabble.customerCard", "snabble.lastPurchases",
            ]
        )
        #expect(document.widgets.map(\.id) == ["1", "2", "3", "4", "5", "6", "7", "8", "11"])
        #expect(document.configuration.image == "Dashboard/teaser")
        #expect(document.configuration.style == .scroll)
        #expect(document.padding == .axes(horizontal: 30, vertical: 16))
        #expect(try JSONValue(parsing: document.bytes()) == imported.value)
    }

    @Test func `The dashboard in Swift is the reference's`() throws {
        let document = document {
            image("Dashboard/image", id: "1").padding(bottom: 16)
            text("Dashboard.title", id: "2").textColor("accent").textStyle("title").padding(bottom: 4)
            text("Dashboard.text", id: "3").padding(bottom: 32)
            locationPermission(id: "4")
            startShopping(id: "5")
            allStores(id: "6").padding(bottom: 24)
            connectWifi(id: "7").padding(bottom: 16)
            customerCard(id: "8").projectId("snabble-sdk-demo-beem8n").padding(bottom: 32)
            lastPurchases(projectId: "snabble-sdk-demo-beem8n", id: "11")
        }
        .image("Dashboard/teaser").style(.scroll).padding(horizontal: 30, vertical: 16)
        #expect(try JSONValue(parsing: document.bytes()) == ImportedDocument(parsing: Reference.dashboard).value)
    }

    @Test func `Developer mode is read, and the keys of its buttons are warned of`() throws {
        let imported = try ImportedDocument(parsing: Reference.document(Reference.developerMode))
        #expect(imported.changes == [])
        let findings = DynamicViewsRules.findings(in: imported.value, name: "profile")
        #expect(findings.map(\.rule) == ["unknown-key", "unknown-key"])
        #expect(findings.map(\.path.pointer) == ["/widgets/0/items/1/key", "/widgets/0/items/2/key"])
        #expect(
            findings.first?.path.description
                == #"profile › developerMode "io.snabble.developerMode" › button "Profile.resetAppID""#
        )
        let options = try Document(imported.value).widgets[0].children[0] as? MultiValue
        #expect(options?.option(for: "staging")?.id == "io.snabble.environment.staging")
        #expect(options?.option(for: "io.snabble.environment.testing")?.text == "Profile.Environment.testing")
        #expect(options?.option(for: "snabble") == nil)
    }

    @Test func `The fragment with an equals sign is refused with line and column`() {
        let error = #expect(throws: JSONParseError.self) { try ImportedDocument(parsing: Reference.multiValue) }
        #expect(error.map { [$0.line, $0.column] } == [5, 10])
        #expect(
            error?.description
                == "line 5, column 10 (byte 96): found '=' where ':' after the key belongs"
        )
    }
}
