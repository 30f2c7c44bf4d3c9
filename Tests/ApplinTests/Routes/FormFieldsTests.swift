import Applin
import Backlot
import FoundationEssentials
import Testing

/// Fields that are named by the properties of the type that their variables are decoded into.
@Suite(.timeLimit(.minutes(5))) struct FormFieldsTests {
    private enum Plan: String, CaseIterable, Decodable, Sendable {
        case free = "Free"
        case family = "Family"
    }

    private struct SignUp: Decodable, Sendable {
        var name: String
        var email: String?
        var age: Int?
        var share: Double
        var born: Date
        var key: UUID
        var tags: [String]
        var plan: Plan
        var agree: Bool
        var other: Bool
        let fixed = 7

        enum CodingKeys: String, CodingKey {
            case name = "sign_up_name"
            case email, age, share, born, key, tags, plan, agree, other
        }

        var trimmedName: String { name.filter { $0 != " " } }
        var both: String { name + (email ?? "") }
    }

    private static func response<Input: Decodable & Sendable>(
        _ check: FormValidator<Input>,
        body: String? = nil,
        @WidgetListBuilder _ fields: @escaping @Sendable (FormFields<Input>) -> [any Widget]
    ) async throws -> Response {
        let router = Router()
        router.applin("/", dialect: .objects) { app in
            app.page("/", check: check, unchecked: "It has a variable twice.") { form, _ in
                navPage("A") { form_(fields(form)) }
            }
        }
        let handler = router.handler()
        return try await handler(Request(body == nil ? .get : .post, "/", body: Array((body ?? "").utf8)))
    }

    private static func form_(_ widgets: [any Widget]) -> Form { form { widgets } }

    private static let all = FormValidator(SignUp.self) { input, errors, _ in
        if input.name.isEmpty { errors[\.name] = "Enter a name." }
        if !input.agree { errors[\.agree] = "Please agree." }
        if input.plan == .free { errors[\.plan] = "Sold out." }
    }

    private static func widgets(_ response: Response) throws -> [JSONValue] {
        try JSONValue(parsing: response.bodyText)["page"]?["widget"]?["widgets"]?.array ?? []
    }

    @Test func `Each property's input has the variable that the type decodes`() async throws {
        let response = try await Self.response(Self.all) { form in
            form.textfield("Name", \.name)
            form.textfield("E-mail", \.email)
            form.textfield("Age", \.age)
            form.textfield("Share", \.share)
            form.textfield("Born", \.born)
            form.textfield("Key", \.key)
            form.textfield("Trimmed", \.trimmedName)
            form.selector("Plan", \.plan)
            form.selector("Plan", \.plan, initialValue: .family)
            form.selector("Mail", \.name, options: ["a", "b"])
            form.checkbox("I agree", \.agree)
            form.checkbox("Other", \.other)
            formButton("Clear", form.reset(\.tags), form.reset(\.name))
        }
        let widgets = try Self.widgets(response)
        #expect(
            widgets.dropLast().map { $0["var_name"]?.string } == [
                "sign_up_name", "email", "age", "share", "born", "key", "sign_up_name", "plan", "plan", "sign_up_name",
                "agree", "other",
            ]
        )
        #expect(widgets[0].description == #"{"typ":"textfield","var_name":"sign_up_name","label":"Name"}"#)
        #expect(
            widgets[7].description
                == #"{"typ":"selector","var_name":"plan","options":["Free","Family"],"initial_string":"Free","label":"Plan"}"#
        )
        #expect(widgets[8]["initial_string"] == "Family")
        #expect(widgets[9]["initial_string"] == "a")
        #expect(widgets[10].description == #"{"typ":"checkbox","var_name":"agree","text":"I agree"}"#)
    }

    private struct Whole: Decodable, Sendable { var count: Int }

    @Test func `A whole number is typed as digits`() async throws {
        let response = try await Self.response(FormValidator(Whole.self)) { $0.textfield("Count", \.count) }
        #expect(try Self.widgets(response)[0]["allow"] == "numbers")
    }

    @Test func `Messages stand at the fields of their properties`() async throws {
        let body = """
            {"sign_up_name":"","share":"1","born":"2001-02-03","key":"00000000-0000-0000-0000-000000000000","tags":[],\
            "plan":"Free","agree":false,"other":false}
            """
        let response = try await Self.response(Self.all, body: body) { form in
            form.textfield("Name", \.name)
            form.textfield("E-mail", \.email)
            form.selector("Plan", \.plan)
            form.checkbox("I agree", \.agree)
            if form.isEmpty { text("All is well.") }
            if let message = form[\.agree] { text(message + (form["sign_up_name"] ?? "")) }
        }
        let widgets = try Self.widgets(response)
        #expect(
            widgets.map { ($0["error"] ?? $0["text"] ?? $0["widgets"]?.array?.last?["text"])?.string } == [
                "Enter a name.", nil, "Sold out.", "Please agree.", "Please agree.Enter a name.",
            ]
        )
    }

    /// It can't be made from what inputs send.
    private struct Even: Decodable, Equatable, Sendable {
        init(from decoder: any Decoder) throws {
            throw DecodingError.valueNotFound(Even.self, .init(codingPath: [], debugDescription: ""))
        }
    }

    private struct Odd: Decodable, Sendable {
        var name: String
        var even: Even
    }

    @Test func `A property without a variable of its own is an error that names it`() async throws {
        func problem<Input>(
            _ check: FormValidator<Input>,
            _ field: @escaping @Sendable (FormFields<Input>) -> TextField
        ) async -> String {
            let error = await #expect(throws: (any Error).self) { try await Self.response(check) { field($0) } }
            return error.map { "\($0)" } ?? ""
        }
        #expect(
            await problem(Self.all) { $0.textfield("A", \.both) }
                == "a key path of SignUp shows sign_up_name and email, but a field has one variable: name a stored property that "
                + "is decoded (sign_up_name, email, age, share, born, key, tags, plan, agree, other)"
        )
        let fixed = await problem(FormValidator(SignUp.self)) { $0.textfield("A", \.fixed) }
        #expect(fixed.contains("a key path of SignUp shows none of its variables, but a field has one variable"))
        let odd = await problem(FormValidator(Odd.self)) { $0.textfield("A", \.name) }
        #expect(
            odd == "the variable 'even' is a Even, but no two values of it are known: name the form's fields by strings"
        )
        let list = await problem(FormValidator([String].self)) { $0.textfield("A", \.count) }
        #expect(list == "a form's type has a property for each variable: decode it from an object")
    }

    @Test func `A message for such a property is an error of the check`() async throws {
        let check = FormValidator(SignUp.self) { _, errors, _ in errors[\.both] = "No." }
        let body = """
            {"sign_up_name":"","share":"1","born":"2001-02-03","key":"00000000-0000-0000-0000-000000000000","tags":[],\
            "plan":"Free","agree":false,"other":false}
            """
        await #expect(throws: (any Error).self) {
            try await Self.response(check, body: body) { $0.textfield("A", \.name) }
        }
    }

    @Test func `A check by properties of such a type keeps the server from starting`() {
        let router = Router()
        router.applin("/") { app in
            let check = FormValidator(Odd.self) { _, errors, _ in errors[\.name] = "No." }
            app.page("/", check: check, file: "App/Main.swift", line: 3) { _, _ in navPage("A") { empty() } }
        }
        let error = #expect(throws: StartupError.self) { try router.handler().prepare() }
        #expect(
            error?.problems == [
                "App/Main.swift:3: the form Odd can't go by its properties: the variable 'even' is a Even, but no two values of it "
                    + "are known: name the form's fields by strings"
            ]
        )
    }
}
