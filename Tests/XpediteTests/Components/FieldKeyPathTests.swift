import Backlot
import Testing

@testable import Xpedite

/// Fields and messages that are named by properties.
@Suite(.timeLimit(.minutes(5))) struct FieldKeyPathTests {
    private struct Entry: Codable {
        var name = ""
        var pin: String?
        var age = 7
        var height: Double?
        var dob: Day?
        var start = Day(year: 2026, month: 1, day: 2)
        var born: Day? { Day(year: 2000, month: 1, day: 1) }
        var isActive = true
        var plan = "M"
        var notes: String?
        var address = Address()
        var other: Address?
    }

    private struct Address: Codable {
        var street = "Main"
    }

    private func encoded(_ field: some FormField) -> String { String(decoding: field.bytes, as: UTF8.self) }

    private static let full = Entry(name: "Ann", pin: "1", height: 1.5, dob: Day("1990-06-15"), notes: "n")

    @Test func `A field has the property's name and value`() {
        let empty: Entry? = nil
        let entry = Self.full
        let fields: [(any FormField, String)] = [
            (textbox(\.name, of: entry), #"{"type":"textbox","name":"name","value":"Ann"}"#),
            (textbox(\.name, of: Entry()), #"{"type":"textbox","name":"name"}"#),
            (textbox(\.name, of: empty), #"{"type":"textbox","name":"name"}"#),
            (textbox(\.pin, of: entry), #"{"type":"textbox","name":"pin","value":"1"}"#),
            (textbox(\.pin, of: Entry()), #"{"type":"textbox","name":"pin"}"#),
            (textbox(\.age, of: entry), #"{"type":"textbox","name":"age","value":"7"}"#),
            (textbox(\.height, of: entry), #"{"type":"textbox","name":"height","value":"1.5"}"#),
            (textbox(\.address.street, of: entry), #"{"type":"textbox","name":"address.street","value":"Main"}"#),
            (textbox(\.other?.street, of: entry), #"{"type":"textbox","name":"other.street"}"#),
            (password(\Entry.pin), #"{"type":"password","name":"pin"}"#),
            (textview(\.notes, of: entry), #"{"type":"textview","name":"notes","value":"n"}"#),
            (textview(\.name, of: empty), #"{"type":"textview","name":"name"}"#),
            (checkbox(\.isActive, of: entry), #"{"type":"checkbox","name":"isActive","value":"1"}"#),
            (checkbox(\.isActive, of: empty), #"{"type":"checkbox","name":"isActive"}"#),
            (date(\.dob, of: entry), #"{"type":"date","name":"dob","value":"1990-06-15"}"#),
            (date(\.dob, of: Entry()), #"{"type":"date","name":"dob"}"#),
            (date(\.start, of: entry), #"{"type":"date","name":"start","value":"2026-01-02"}"#),
            (
                select(\.plan, of: entry, options: ["M": "m"]),
                #"{"type":"select","name":"plan","value":"M","options":{"M":"m"}}"#
            ),
            (
                radio(\.plan, of: empty, options: ["M": "m"]),
                #"{"type":"radio","name":"plan","options":{"M":"m"}}"#
            ),
            (date(\.born, of: empty), #"{"type":"date","name":""}"#),
        ]
        for (field, json) in fields { #expect(encoded(field) == json) }
    }

    @Test func `A message stands at the property's field`() {
        var errors = FormErrors(\Entry.name, "is taken")
        errors[\Entry.address.street] = "is unknown"
        errors[\Entry.other?.street] = "is unknown too"
        errors[\Entry.born] = "Look again."
        #expect(
            errors.messages == [
                "name": "is taken", "address.street": "is unknown", "other.street": "is unknown too", "": "Look again.",
            ]
        )
        #expect(errors[\Entry.name] == "is taken")
        #expect(errors[\Entry.age] == nil)
        errors[\Entry.name] = nil
        #expect(errors.messages["name"] == nil)
    }
}
