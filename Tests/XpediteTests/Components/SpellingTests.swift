import Backlot
import BacklotJSON
import Testing

@testable import Xpedite

/// Several spellings are read; one goes out.
struct SpellingTests {
    static let cases: [(read: String, sent: String)] = [
        (##"{"type":"label","text":"x","colour":"#112233"}"##, ##"{"type":"label","text":"x","color":"#112233"}"##),
        (##"{"type":"label","text":"x","color":"#112233"}"##, ##"{"type":"label","text":"x","color":"#112233"}"##),
        (#"{"type":"label","text":"x","align":"center"}"#, #"{"type":"label","text":"x","align":"centre"}"#),
        (#"{"type":"label","text":"x","size":{"center-x":1}}"#, #"{"type":"label","text":"x","size":{"centrex":0}}"#),
        (#"{"type":"label","text":"x","size":{"centre-x":""}}"#, #"{"type":"label","text":"x","size":{"centrex":0}}"#),
        (#"{"type":"label","text":"x","size":{"centerx":0}}"#, #"{"type":"label","text":"x","size":{"centrex":0}}"#),
        (#"{"type":"label","text":"x","size":{"center-y":0}}"#, #"{"type":"label","text":"x","size":{"centrey":0}}"#),
        (#"{"type":"label","text":"x","size":{"centre-y":0}}"#, #"{"type":"label","text":"x","size":{"centrey":0}}"#),
        (#"{"type":"label","text":"x","size":{"centery":0}}"#, #"{"type":"label","text":"x","size":{"centrey":0}}"#),
    ]

    @Test(arguments: cases)
    func `One spelling goes out`(spelling: (read: String, sent: String)) throws {
        let component = try WireReader(try JSONValue(parsing: spelling.read)).component()
        #expect(String(decoding: component.bytes, as: UTF8.self) == spelling.sent)
    }

    @Test(arguments: [
        (#"{"type":"label"}"#, "/text is missing"), (#"{"type":"label","text":5}"#, "/text is not a string"),
        (#"{"type":"lable"}"#, "/type is an unknown component: 'lable'"), (#"{"text":"x"}"#, "/type is missing"),
        (#"{"type":"image"}"#, "/url is missing, and so is id"),
        (#"{"type":"textbox"}"#, "/name is missing"),
        (#"{"type":"web","web":"a","content":"b"}"#, "/web and content: exactly one of them is needed"),
        (#"{"type":"table"}"#, "/data is missing"), (#"{"type":"table","data":{}}"#, "/data/dynamic is missing"),
        (#"{"type":"navigation"}"#, "/implementation is missing"),
        (#"{"type":"navigation","implementation":{"style":"button"}}"#, "/implementation/position is missing"),
        (#"{"type":"scrollview","components":[{"type":"label"}]}"#, "/components/0/text is missing"),
        (#"{"type":"form","components":[{"type":"select","name":"x"}]}"#, "/components/0/options is missing"),
        (#"{"type":"label","text":"x","fontsize":1.5}"#, "/fontsize is not a whole number"),
        (#"{"type":"label","text":"x","align":"middle"}"#, "/align is an unknown name: 'middle'"),
    ])
    func `What can't be read says where and why`(json: String, problem: String) throws {
        let value = try JSONValue(parsing: json)
        let error = #expect(throws: WireError.self) { try WireReader(value).component() }
        #expect(error?.description == problem)
    }
}
