import Backlot
import Testing

@testable import DynamicViews

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The vocabulary and what widgets write can't drift apart: objects are made from the vocabulary, made again through the DSL,
/// and compared.
@Suite(.timeLimit(.minutes(5))) struct VocabularyTests {
    private static let vocabulary = DynamicViewsVocabulary.all
    static let dialects: [Dialect] = [.ios, .android]

    private func example(_ kind: Kind, _ dialect: Dialect, _ isWanted: (Key) -> Bool) -> JSONObject {
        Self.vocabulary.example(of: kind, as: kind.roles[0], for: dialect.audience, isWanted)
    }

    /// The object that the DSL writes with the values of another.
    private func written(_ object: JSONObject, _ dialect: Dialect) throws -> JSONObject {
        let widget = try Sample.widget(object)
        let bytes = document { widget }.bytes(for: dialect)
        return try #require(try JSONValue(parsing: bytes)["widgets"]?[0]?.object)
    }

    /// The documentation's spelling of a kind is read only.
    private func isWritten(_ kind: Kind, in dialect: Dialect) -> Bool {
        kind.support.covers(dialect.audience) && kind != Version.documentedVocabulary
    }

    @Test func `Every kind that is declared is in the vocabulary`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Sources/DynamicViews").standardizedFileURL
        var declared = 0
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path()) where path.hasSuffix(".swift") {
            let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
            declared += text.matches(of: /static let \w*ocabulary = Kind\(/).count
            declared += text.matches(of: /static let \w+ = Action\(/).count
        }
        #expect(declared == Set(Self.vocabulary.kinds).count)
    }

    @Test(arguments: vocabulary.kinds(as: .widget), dialects)
    func `A widget writes the keys that it declares, and no others`(kind: Kind, dialect: Dialect) throws {
        guard isWritten(kind, in: dialect) else { return }
        let full = example(kind, dialect) { $0.isWritten }
        #expect(try written(full, dialect) == full)
        for key in kind.keys where key.isWritten && !key.isNeeded && key.support.covers(dialect.audience) {
            let object = example(kind, dialect) { $0.isNeeded || $0.name == key.name }
            #expect(try written(object, dialect) == object)
        }
        let least = try written(example(kind, dialect) { $0.isNeeded }, dialect)
        #expect(least == example(kind, dialect) { $0.isNeeded })
    }

    @Test(arguments: dialects)
    func `A configuration writes the keys that it declares, and no others`(dialect: Dialect) throws {
        let object = example(Configuration.vocabulary, dialect) { $0.isWritten }
        let made = document {}.image(object["image"]?.string)
            .style(object["style"]?.string.flatMap(Configuration.Style.init)).padding(Sample.padding(object["padding"]))
        let value = try JSONValue(parsing: made.bytes(for: dialect))
        #expect(value["configuration"] == .object(object))
        #expect(value.object?.keys.map(\.self) == Document.vocabulary.keys.map(\.name))
    }

    @Test func `A padding's sides and an option write the keys that they declare, and no others`() throws {
        let sides = example(Padding.vocabulary, .ios) { $0.isWritten }
        var object = example(Text.vocabulary, .ios) { $0.isNeeded }
        object["padding"] = .object(sides)
        #expect(try written(object, .ios)["padding"] == .object(sides))
        let option = example(MultiValue.Option.vocabulary, .ios) { $0.isWritten }
        #expect(try written(example(MultiValue.vocabulary, .ios) { $0.isNeeded }, .ios)["values"] == [.object(option)])
    }

    @Test(arguments: vocabulary.kinds(as: .widget), dialects)
    func `What the vocabulary makes breaks no rule and is read`(kind: Kind, dialect: Dialect) throws {
        guard kind.support.covers(dialect.audience) else { return }
        for isFull in [true, false] {
            let widget = example(kind, dialect) { isFull || $0.isNeeded }
            var configuration = example(Configuration.vocabulary, dialect) { isFull || $0.isNeeded }
            configuration["style"] = "list"
            let value: JSONValue = ["configuration": .object(configuration), "widgets": [.object(widget)]]
            let rules = DynamicViewsRules.findings(in: value, name: "d", dialect: dialect).map(\.rule)
            let holdsOthers = kind == Section.vocabulary || kind == DeveloperMode.vocabulary
            let isIgnored = isFull && holdsOthers && dialect.platform == .ios
            let isDocumented = kind == Version.documentedVocabulary
            #expect(rules == (isIgnored ? ["ignored-padding"] : isDocumented ? ["documented-type"] : []))
            let type = isDocumented ? Version.vocabulary.name : kind.name
            #expect(try Document(value, dialect: dialect).widgets.map { "\($0.type)" } == [type])
        }
    }

    static let anyValues: [JSONValue] = [
        true, 5, 1.5, -1e99, "", "x", [], [5], ["x"], [nil], [[]], [[:]], [1, 2, 3], [1, 2, 3, 4], [:], ["top": "x"],
        ["top": 4, "right": nil],
    ]

    @Test(arguments: vocabulary.kinds(as: .widget) + [Configuration.vocabulary], [Dialect.ios, .android])
    func `Rules and reader agree on every value of every key`(kind: Kind, dialect: Dialect) throws {
        for key in Set(kind.keys.map(\.name)) {
            for value in Self.anyValues {
                var object = example(kind, dialect) { $0.isNeeded }
                object[key] = value
                let document: JSONValue =
                    kind == Configuration.vocabulary
                    ? ["configuration": .object(object), "widgets": []]
                    : ["configuration": ["image": "", "style": "list", "padding": [0]], "widgets": [.object(object)]]
                let findings = DynamicViewsRules.findings(in: document, name: "d", dialect: dialect)
                let canBeRead = (try? Document(document, dialect: dialect)) != nil
                if canBeRead {
                    #expect(!findings.contains { $0.rule == "wrong-type" }, "\(document)")
                } else {
                    #expect(findings.contains { $0.isRejection }, "\(document)")
                }
            }
        }
    }

    @Test func `Every case of an enumeration is declared`() throws {
        let style = try #require(Configuration.vocabulary.key("style", for: Dialect.ios.audience))
        guard case .oneOf(let names, _) = style.type else {
            Issue.record("the style is one of some names")
            return
        }
        #expect(names.map(\.text) == Configuration.Style.allCases.map(\.rawValue))
    }

    @Test(arguments: vocabulary.kinds)
    func `Every kind and key has a meaning, a sentence long`(kind: Kind) {
        for meaning in [kind.meaning] + kind.keys.map(\.meaning) {
            #expect(meaning.hasSuffix(".") && meaning.first?.isUppercase == true, "\(meaning)")
        }
    }
}

/// Widgets that are made through the DSL with the values of an object.
private enum Sample {
    struct Unknown: Error {
        let type: String
    }

    static func widget(_ object: JSONObject) throws -> any Widget {
        func text(_ key: String) -> String { object[key]?.string ?? "" }
        let type = text("type")
        let inner = try (object["items"]?.array ?? []).map { try widget($0.object ?? [:]) }
        let made: any Widget =
            switch type {
            case "text":
                DynamicViews.text(text("text"), id: text("id")).textColor(
                    (object["textColor"]?.string).map(ColorName.init(rawValue:))
                )
                .textStyle((object["textStyle"]?.string).map(TextStyle.init(rawValue:))).showDisclosure(
                    object["showDisclosure"]?.bool
                )
            case "image": image(text("image"), id: text("id"))
            case "button":
                button(text("text"), id: text("id")).foregroundColor(
                    (object["foregroundColor"]?.string).map(ColorName.init(rawValue:))
                )
                .backgroundColor((object["backgroundColor"]?.string).map(ColorName.init(rawValue:)))
            case "information":
                information(text("text"), id: text("id"), hideable: object["hideable"]?.bool ?? false)
                    .image(object["image"]?.string)
            case "toggle": toggle(text("text"), id: text("id"), key: text("key"))
            case "section": section(text("header"), id: text("id")) { inner }
            case "navigation": navigation(text("text"), id: text("id"), resource: text("resource"))
            case "multiValue":
                multiValue(text("text"), id: text("id")) {
                    for value in object["values"]?.array ?? [] {
                        option(value["text"]?.string ?? "", id: value["id"]?.string ?? "")
                    }
                }
            case "snabble.switchEnvironment":
                switchEnvironment(text("text"), id: text("id")) {
                    for value in object["values"]?.array ?? [] {
                        option(value["text"]?.string ?? "", id: value["id"]?.string ?? "")
                    }
                }
            case "snabble.devSettings": devSettings(text("text"), id: text("id"))
            case "snabble.clientId": clientId(id: text("id"))
            case "snabble.appUserId": appUserId(id: text("id"))
            case "developerMode": developerMode(id: text("id")) { inner }
            case "snabble.customerCard":
                customerCard(id: text("id")).projectId(object["projectId"]?.string).text(object["text"]?.string)
                    .image(object["image"]?.string)
            case "snabble.lastPurchases":
                lastPurchases(projectId: "", id: text("id")).projectId(object["projectId"]?.string)
            case "snabble.locationPermission": locationPermission(id: text("id"))
            case "snabble.startShopping": startShopping(id: text("id"))
            case "snabble.allStores": allStores(id: text("id"))
            case "snabble.connectWifi": connectWifi(id: text("id"))
            case "version", "snabble.version": version(id: text("id"))
            default: throw Unknown(type: type)
            }
        return padded(made, padding(object["padding"]))
    }

    static func padding(_ value: JSONValue?) -> Padding? {
        if let sides = value?.object {
            func side(_ name: String) -> Double? { sides[name]?.number?.double }
            return .named(
                top: side("top"),
                leading: side("leading"),
                bottom: side("bottom"),
                trailing: side("trailing")
            )
        }
        let numbers = (value?.array ?? []).compactMap { $0.number?.double }
        guard numbers.count == 4 else { return nil }
        return .edges(leading: numbers[0], top: numbers[1], bottom: numbers[2], trailing: numbers[3])
    }

    private static func padded(_ widget: some Widget, _ padding: Padding?) -> any Widget { widget.padding(padding) }
}
