import Backlot
import Testing

@testable import Xpedite

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The vocabulary and what components write can't drift apart: objects are made from the vocabulary, made again through the DSL,
/// and compared.
@Suite(.timeLimit(.minutes(5))) struct VocabularyTests {
    private static let vocabulary = XpediteVocabulary.all
    /// Rows have no type that writes them; their test goes through an app.
    static let kinds = vocabulary.kinds.filter { $0 != RowsPacket.vocabulary }

    private func example(_ kind: Kind, _ isWanted: (Key) -> Bool) -> JSONObject {
        var object = Self.vocabulary.example(of: kind, as: kind.roles[0], for: XpediteVocabulary.audience, isWanted)
        // Effects without any effect aren't written.
        if object["effects"] != nil { object["effects"] = ["shade%": 1.5] }
        return object
    }

    /// The object that the DSL writes with the values of another.
    private func written(_ object: JSONObject, _ kind: Kind) throws -> JSONObject {
        let json = try #require(try Sample.json(kind.name, object), "Sample lacks the kind \(kind.name)")
        return try #require(json.object)
    }

    @Test func `Every kind that is declared is in the vocabulary`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Sources/Xpedite").standardizedFileURL
        var declared = 0
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path()) where path.hasSuffix(".swift") {
            let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
            declared += text.matches(of: /static let vocabulary = Kind\(/).count
        }
        #expect(declared == Set(Self.vocabulary.kinds).count)
    }

    @Test(arguments: kinds.filter { $0 != Size.vocabulary })
    func `All keys of a kind are written at once`(kind: Kind) throws {
        let full = example(kind) { $0.isWritten }
        #expect(try written(full, kind) == full)
    }

    @Test(arguments: kinds)
    func `Each key of a kind is written by itself`(kind: Kind) throws {
        let declared = Set(kind.keys.filter(\.isWritten).map(\.name)).union(["type"])
        for key in kind.keys where key.isWritten {
            let object = example(kind) { $0.isNeeded || $0.name == key.name }
            let written = try written(object, kind)
            #expect(declared.isSuperset(of: written.keys))
            // Clients ignore the value that centres a component.
            let isAny = if case .any = key.type { true } else { false }
            #expect(isAny ? written[key.name] != nil : written[key.name] == object[key.name], "\(key.name)")
        }
    }

    @Test(arguments: kinds)
    func `Each name of an enumeration`(kind: Kind) throws {
        for key in kind.keys {
            guard case .oneOf(let names, _) = key.type else { continue }
            for name in names where name.text != "center" {
                var object = example(kind) { $0.isNeeded || $0.name == key.name }
                object[key.name] = .string(name.text)
                #expect(try written(object, kind)[key.name] == .string(name.text))
            }
        }
    }

    @Test func `Every case of an enumeration is declared`() {
        func names(_ kind: Kind, _ name: String) -> Set<String> {
            guard case .oneOf(let names, _) = kind.key(name, for: XpediteVocabulary.audience)?.type else { return [] }
            return Set(names.map(\.text))
        }
        let aligns = Set(Align.allCases.map(\.rawValue) + ["center"])
        #expect(names(Label.vocabulary, "align") == aligns)
        #expect(names(CellColumn.vocabulary, "align") == aligns.subtracting(["justify"]))
        let inColumns = Set(ColumnAlign.allCases.map(\.rawValue))
        #expect(inColumns == aligns.subtracting(["justify", "center"]))
        #expect(names(Button.vocabulary, "style") == Set(Button.Style.allCases.map(\.rawValue)))
        #expect(names(Form.vocabulary, "style") == Set(Form.Style.allCases.map(\.rawValue)))
        #expect(names(HeaderColumn.vocabulary, "scroll") == Set(HeaderColumn.Scroll.allCases.map(\.rawValue)))
        #expect(names(Preload.vocabulary, "load") == Set(Preload.Priority.allCases.map(\.rawValue)))
        #expect(names(TextBox.vocabulary, "keyboard") == Set(TextInput.Keyboard.allCases.map(\.rawValue)))
        #expect(names(TextBox.vocabulary, "returnkey") == Set(TextInput.ReturnKey.allCases.map(\.rawValue)))
        #expect(names(Implementation.vocabulary, "style") == Set(Implementation.Style.allCases.map(\.rawValue)))
        #expect(names(Implementation.vocabulary, "position") == Set(Implementation.Side.allCases.map(\.rawValue)))
    }

    @Test func `Rows of a table have the keys that are declared, and no others`() async throws {
        var configuration = XpediteConfiguration()
        configuration.readings.dataHasComponents = true
        let app = try TestApp(configuration: configuration) { app in
            app.connect { _ in page {} }
            app.table("rows", batch: 1) { _, _, _ in [["a": 1], ["a": 2]] }
        }
        let response = try await app.send(["method": "rows", "token": .string(try await app.connect())])
        let declared = RowsPacket.vocabulary.keys.filter(\.isWritten).map(\.name)
        #expect(response.object?.keys.sorted() == declared.sorted())
    }

    @Test(arguments: vocabulary.kinds)
    func `Every kind, key and name has a meaning, a sentence long`(kind: Kind) {
        let names = kind.keys.flatMap { key in
            if case .oneOf(let names, _) = key.type { names.map(\.meaning) } else { [String]() }
        }
        for meaning in [kind.meaning] + kind.keys.map(\.meaning) + names {
            #expect(meaning.hasSuffix(".") && meaning.first?.isUppercase == true, "\(meaning)")
        }
    }
}
