import Backlot
import Testing

@testable import Applin

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The vocabulary and what widgets write can't drift apart: objects are made from the vocabulary, made again through the DSL,
/// and compared.
@Suite(.timeLimit(.minutes(5))) struct VocabularyTests {
    private let vocabulary = ApplinVocabulary.all

    private func example(_ kind: Kind, _ dialect: Dialect, _ isWanted: (Key) -> Bool) -> JSONObject {
        vocabulary.example(of: kind, as: kind.roles[0], for: dialect.audience, isWanted)
    }

    /// The DSL's output for the values of an object.
    private func written(_ object: JSONObject, _ kind: Kind, _ dialect: Dialect) throws -> JSONObject {
        let sample = try #require(WidgetSample.all[kind.name], "WidgetSample.all lacks the widget \(kind.name)")
        let text = encoded(try sample(SampleValues(object: object)), dialect: dialect)
        var object = try #require(try JSONValue(parsing: text).object)
        if let actions = object["actions"]?.array {
            object["actions"] = .array(actions.map { $0.string.map { .object(ActionForm.object(of: $0)) } ?? $0 })
        }
        return object
    }

    @Test func `Every kind that is declared is in the vocabulary`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/Applin").standardizedFileURL
        var declared = 0
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path()) where path.hasSuffix(".swift") {
            let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
            declared += text.matches(of: /static let vocabulary = Kind\(/).count
        }
        #expect(declared == Set(vocabulary.kinds).count)
    }

    @Test(arguments: ApplinVocabulary.all.kinds(as: .widget), Dialect.allCases)
    func `A widget writes the keys that it declares, and no others`(kind: Kind, dialect: Dialect) throws {
        guard kind.support.covers(dialect.audience) else { return }
        let full = example(kind, dialect) { $0.isWritten }
        #expect(try written(full, kind, dialect) == full)
        let least = try written(example(kind, dialect) { $0.isNeeded }, kind, dialect)
        for key in kind.keys where key.isNeeded {
            #expect(least[key.name] != nil, "\(key.name)")
        }
    }

    @Test(arguments: ApplinVocabulary.all.kinds(as: .widget))
    func `A widget writes every name of an enumeration`(kind: Kind) throws {
        for key in kind.keys {
            guard case .oneOf(let names, _) = key.type else { continue }
            for name in names {
                var object = example(kind, .objects) { $0.isNeeded }
                object[key.name] = .string(name.text)
                #expect(try written(object, kind, .objects)[key.name] == .string(name.text))
            }
        }
    }

    @Test func `Every case of an enumeration is declared`() {
        func names(_ kind: Kind, _ name: String) -> [String] {
            guard case .oneOf(let names, _) = kind.key(name, for: Dialect.objects.audience)?.type else { return [] }
            return names.map(\.text)
        }
        #expect(names(Column.vocabulary, "align") == Align.allCases.map(\.rawValue))
        #expect(names(Image.vocabulary, "disposition") == Image.Disposition.allCases.map(\.rawValue))
        #expect(names(TextField.vocabulary, "allow") == TextField.Allow.allCases.map(\.rawValue))
        #expect(names(TextField.vocabulary, "auto_capitalize") == TextField.AutoCapitalize.allCases.map(\.rawValue))
    }

    @Test(arguments: ApplinVocabulary.all.kinds(as: .page), Dialect.allCases)
    func `A page writes the keys that it declares, and no others`(kind: Kind, dialect: Dialect) throws {
        let sample = try #require(CheckSampleMaker.all[kind.name], "CheckSampleMaker.all lacks the page \(kind.name)")
        for isFull in [true, false] {
            let object = example(kind, dialect) { isFull ? $0.isWritten : $0.isNeeded }
            let values = SampleValues(object: object)
            let text = encoded(sample(values), dialect: dialect)
            #expect(try JSONValue(parsing: text) == .object(object))
        }
    }

    @Test(arguments: ApplinVocabulary.all.kinds(as: .action))
    func `An action writes the keys that it declares, and no others`(kind: Kind) throws {
        let sample = try #require(ActionSample.all[kind.name], "ActionSample.all lacks the action \(kind.name)")
        if kind.support.covers(Dialect.objects.audience) {
            for isFull in [true, false] {
                let object = example(kind, .objects) { isFull ? $0.isWritten : $0.isNeeded }
                let text = encodedActions(.objects) { sample(SampleValues(object: object)) }
                #expect(try JSONValue(parsing: text) == [.object(object)])
            }
        }
        if kind.support.covers(Dialect.documented.audience) {
            let object = example(kind, .documented) { $0.isNeeded }
            let text = encodedActions(.documented) { sample(SampleValues(object: object)) }
            let action = try #require(try JSONValue(parsing: text)[0]?.string)
            #expect(ActionForm.object(of: action) == object)
        }
    }

    @Test func `A modal's button writes the keys that it declares, and no others`() throws {
        let object = example(ModalButton.vocabulary, .objects) { _ in true }
        var writer = JSONWriter(dialect: .objects)
        writer.object { modalButton("/text") { logout() }.id("/id").keys(&$0) }
        #expect(try JSONValue(parsing: writer.bytes) == .object(object))
    }

    @Test(arguments: ApplinVocabulary.all.kinds)
    func `Every kind and key has a meaning, a sentence long`(kind: Kind) {
        for meaning in [kind.meaning] + kind.keys.map(\.meaning) {
            #expect(meaning.hasSuffix(".") && meaning.first?.isUppercase == true, "\(meaning)")
        }
    }
}

/// The values that a widget is made with, by the keys of the wire.
private struct SampleValues {
    let object: JSONObject

    func text(_ key: String) -> String? { object[key]?.string }
    func bool(_ key: String) -> Bool? { object[key]?.bool }
    func number(_ key: String) -> Double? { object[key]?.number?.double }
    func count(_ key: String) -> Int? { object[key]?.number?.uint64.map(Int.init) }
    func texts(_ key: String) -> [String]? { object[key]?.array?.compactMap(\.string) }
    var varName: String { text("var_name") ?? "" }

    /// The vocabulary's example of an action is a logout, and of a widget an empty.
    var actions: [any Action] { (object["actions"]?.array ?? []).map { _ in logout() } }
    var widgets: [any Widget] { (object["widgets"]?.array ?? []).map { _ in empty() } }
}

private enum WidgetSample {
    typealias Maker = @Sendable (SampleValues) throws -> any Widget

    static let all: [String: Maker] = [
        "back_button": { values in StartWidget { values.actions } },
        "button": { values in button(values.text("text") ?? "") { values.actions } },
        "checkbox": { values in
            var box = checkbox(values.text("text"), varName: values.varName).initialValue(values.bool("initial_bool"))
                .actions { values.actions }.pollDelay(values.count("poll_delay_ms").map { .milliseconds($0) })
            if let validated = values.bool("validated") { box = box.validated(validated) }
            return box
        },
        "checkbox_button": { values in
            checkboxButton(values.text("text") ?? "") { values.actions }.initialValue(values.bool("initial_bool"))
        },
        "column": { values in
            column { values.widgets }.align(values.text("align").flatMap(Align.init) ?? .start)
                .spacing(values.number("spacing"))
        },
        "empty": { _ in empty() },
        "error_text": { values in errorText(values.text("text") ?? "") },
        "form": { values in form { values.widgets } },
        "form_button": { values in
            formButton(values.text("text") ?? "") { values.actions }.align(values.text("align").flatMap(Align.init))
        },
        "form_section": { values in formSection(values.text("title")) { values.widgets } },
        "grouped_row_table": { values in groupedRowTable([[[empty()]]]).spacing(values.number("spacing")) },
        "image": { values in
            image(
                values.text("url") ?? "",
                aspectRatio: values.number("aspect_ratio") ?? 0,
                disposition: values.text("disposition").flatMap(Image.Disposition.init) ?? .cover
            )
        },
        "last_error_text": { _ in lastErrorText() },
        "nav_button": { values in
            navButton(values.text("text") ?? "") { values.actions }.subText(values.text("sub_text"))
                .badgeText(values.text("badge_text")).photoURL(values.text("photo_url"))
        },
        "scroll": { values in scroll { empty() }.pullToRefresh(values.bool("pull_to_refresh")) },
        "selector": { values in
            var made = selector(
                values.text("label"),
                varName: values.varName,
                options: values.texts("options") ?? [],
                initialValue: values.text("initial_string")
            ).error(values.text("error")).pollDelay(
                values.count("poll_delay_ms").map { .milliseconds($0) }
            )
            if let name = values.text("var_name1"), let options = values.texts("options1") {
                made = made.second(name, options: options, initialValue: values.text("initial_string1"))
            }
            if let name = values.text("var_name2"), let options = values.texts("options2") {
                made = made.third(name, options: options, initialValue: values.text("initial_string2"))
            }
            if let validated = values.bool("validated") { made = made.validated(validated) }
            return made
        },
        "text": { values in text(values.text("text") ?? "") },
        "textfield": { values in
            var field = textfield(values.text("label"), varName: values.varName).error(values.text("error"))
                .initialValue(values.text("initial_string"))
            field = field.allow(values.text("allow").flatMap(TextField.Allow.init))
                .autoCapitalize(values.text("auto_capitalize").flatMap(TextField.AutoCapitalize.init))
            field = field.maxLines(values.count("max_lines")).maxChars(values.count("max_chars"))
                .minChars(values.count("min_chars")).pollDelay(values.count("poll_delay_ms").map { .milliseconds($0) })
            if let validated = values.bool("validated") { field = field.validated(validated) }
            return field
        },
    ]
}

private enum CheckSampleMaker {
    static let all: [String: @Sendable (SampleValues) -> any Page] = [
        "nav_page": { values in
            var page = navPage(values.text("title") ?? "") { empty() }.poll(
                every: values.count("poll_seconds").map { .seconds($0) }
            )
            if values.object["start"] != nil { page = page.start { empty() } }
            if values.object["end"] != nil { page = page.end { empty() } }
            if let ephemeral = values.bool("ephemeral") { page = page.ephemeral(ephemeral) }
            return page
        },
        "plain_page": { values in
            var page = plainPage(values.text("title")) { empty() }.poll(
                every: values.count("poll_seconds").map { .seconds($0) }
            )
            if let ephemeral = values.bool("ephemeral") { page = page.ephemeral(ephemeral) }
            return page
        },
    ]
}

private enum ActionSample {
    static let all: [String: @Sendable (SampleValues) -> any Action] = [
        "choose_photo": { values in
            choosePhoto(values.text("url") ?? "", aspectRatio: values.number("aspect_ratio"))
        },
        "copy_to_clipboard": { values in copyToClipboard(values.text("string_value") ?? "") },
        "launch_url": { values in launchURL(values.text("url") ?? "") },
        "logout": { _ in logout() },
        "modal": { values in
            modal(values.text("title") ?? "") { modalButton("/text") { logout() } }.message(values.text("message"))
        },
        "on_user_error_poll": { _ in onUserErrorPoll() },
        "poll": { _ in poll() },
        "pop": { _ in pop() },
        "push": { values in push(values.text("page") ?? "") },
        "replace_all": { values in replaceAll(values.text("page") ?? "") },
        "reset_var": { values in resetVar(values.text("var_name") ?? "") },
        "rpc": { values in
            rpc(values.text("url") ?? "", onUserErrorPoll: values.bool("on_user_error_poll") ?? false)
        },
        "stop_actions": { _ in stopActions() },
        "take_photo": { values in
            takePhoto(values.text("url") ?? "", aspectRatio: values.number("aspect_ratio"))
        },
    ]
}
