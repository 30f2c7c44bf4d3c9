import Backlot
import Testing

@testable import Xpedite

/// Clients read several spellings of some words; this library writes one, and accepts the others in the pages of other backends.
@Suite(.timeLimit(.minutes(5))) struct SpellingTests {
    private func findings(_ component: String) throws -> [Finding] {
        XpediteRules.findings(in: ["rc": 0, "components": [try JSONValue(parsing: component)]], name: "p")
    }

    @Test(arguments: [
        ##"{"type":"label","text":"x","colour":"#112233"}"##,
        ##"{"type":"label","text":"x","color":"#112233"}"##,
        #"{"type":"label","text":"x","align":"center"}"#,
        #"{"type":"label","text":"x","align":"centre"}"#,
        #"{"type":"label","text":"x","size":{"centrex":1}}"#,
        #"{"type":"label","text":"x","size":{"center-x":1}}"#,
        #"{"type":"label","text":"x","size":{"centre-x":""}}"#,
        #"{"type":"label","text":"x","size":{"centerx":0}}"#,
        #"{"type":"label","text":"x","size":{"centrey":[]}}"#,
        #"{"type":"label","text":"x","size":{"center-y":0}}"#,
        #"{"type":"label","text":"x","size":{"centre-y":0}}"#,
        #"{"type":"label","text":"x","size":{"centery":0}}"#,
    ])
    func `Each spelling is accepted`(component: String) throws {
        #expect(try findings(component).isEmpty)
    }

    @Test(arguments: [
        (#"{"type":"label"}"#, "missing-key", ""), (#"{"type":"label","text":5}"#, "wrong-type", "/text"),
        (#"{"type":"lable"}"#, "unknown-type", "/type"), (#"{"text":"x"}"#, "missing-type", ""),
        (#"{"type":"image"}"#, "missing-key", ""), (#"{"type":"textbox"}"#, "missing-name", ""),
        (#"{"type":"web","web":"a","content":"b"}"#, "web-source", ""),
        (#"{"type":"table"}"#, "missing-key", ""), (#"{"type":"table","data":{}}"#, "missing-key", "/data"),
        (#"{"type":"navigation"}"#, "missing-key", ""),
        (
            #"{"type":"navigation","implementation":{"style":"slidefrom"}}"#, "missing-key", "/implementation"
        ),
        (#"{"type":"scrollview","components":[{"type":"label"}]}"#, "missing-key", "/components/0"),
        (#"{"type":"form","components":[{"type":"select","name":"x"}]}"#, "missing-key", "/components/0"),
        (#"{"type":"label","text":"x","fontsize":1.5}"#, "number-out-of-range", "/fontsize"),
        (#"{"type":"label","text":"x","align":"middle"}"#, "unknown-align", "/align"),
        (#"{"type":"label","text":"x","a/b":1}"#, "unknown-key", "/a~1b"),
    ])
    func `A mistake has a rule and a place`(component: String, rule: String, pointer: String) throws {
        let findings = try findings(component)
        #expect(findings.map(\.rule) == [rule])
        #expect(findings.map(\.path.pointer) == ["/components/0\(pointer)"])
    }
}
