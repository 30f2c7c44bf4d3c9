import Backlot
import Testing

@testable import Applin

/// Large, deep and damaged pages.
@Suite(.timeLimit(.minutes(5))) struct LoadRuleTests {
    private func findings(_ page: JSONValue, _ dialect: Dialect = .documented) -> [Finding] {
        ApplinRules.findings(in: ["page": page], path: "/p", dialect: dialect, app: RouteLookup { _ in [] })
    }

    private func form(_ widgets: [JSONValue]) -> JSONValue {
        ["typ": "plain_page", "widget": ["typ": "form", "widgets": .array(widgets)]]
    }

    @Test func `10,000 good widgets have no findings of their own`() {
        let widgets = (0..<10_000).map { number -> JSONValue in
            ["typ": "textfield", "var_name": "field\(number)", "label": "Field"]
        }
        #expect(findings(form(widgets)).map(\.rule) == ["inputs-without-post"])
    }

    @Test func `Each of 10,000 bad widgets has its findings`() {
        let widget: JSONValue = ["typ": "checkbox", "var_name": "a", "lable": 1, "actions": ["push:/nowhere", "x"]]
        // Each: an unknown key, a dead link, an unknown action, and all but the first a duplicate; the page: no POST.
        #expect(findings(form(Array(repeating: widget, count: 10_000))).count == 4 * 10_000)
    }

    /// Freeing so deep a value costs stack, so it is kept for as long as the tests run.
    private static let deepPage: JSONValue = {
        var widget: JSONValue = ["typ": "text"]
        for _ in 0..<deepPageDepth {
            widget = ["typ": "scroll", "widget": widget]
        }
        return ["typ": "plain_page", "widget": widget]
    }()

    private static let deepPageDepth = 100_000

    @Test func `A deep page costs no stack`() {
        let found = findings(Self.deepPage)
        #expect(found.map(\.rule) == ["deep-nesting", "missing-key"])
        #expect(found.first?.path.steps.count == PageRules.deepestNesting + 1)
        #expect(found.last?.path.steps.count == Self.deepPageDepth + 1)
    }

    @Test(arguments: 0..<4)
    func `20,000 damaged pages are judged without a trap`(part: Int) throws {
        var random = SplitMix(state: UInt64(part) + 1)
        let seeds = try Self.seeds.map { try JSONValue(parsing: $0) }
        var found = 0
        for index in 0..<5_000 {
            let seed = seeds[index % seeds.count]
            let page = Self.damaged(seed, rate: 0.03, from: seeds, &random)
            found += findings(page, index % 2 == 0 ? .documented : .objects).count
        }
        #expect(found > 5_000)
    }

    private static let seeds = [
        """
        {"typ":"nav_page","title":"P","poll_seconds":2,"start":{"typ":"back_button","actions":["pop"]},"widget":
        {"typ":"scroll","widget":{"typ":"form","widgets":[{"typ":"textfield","var_name":"a","allow":"tel","max_lines":1},
        {"typ":"checkbox","var_name":"b#c","actions":["rpc:/a","on_user_error_poll","push:/b"]},
        {"typ":"grouped_row_table","spacing":8,"row_groups":[[[{"typ":"text","text":"A"},null]]]}]}}}
        """,
        """
        {"typ":"plain_page","widget":{"typ":"column","align":"end","widgets":[{"typ":"image","aspect_ratio":1.5,
        "url":"/a.png","disposition":"fit"},{"typ":"selector","var_name":"s","options":["1","2"],"initial_string":"1"},
        {"typ":"button","text":"Go","actions":[{"typ":"rpc","url":"/a"},{"typ":"modal","title":"T","buttons":
        [{"text":"Cancel","actions":[{"typ":"pop"}]}]}]}]}}
        """,
    ]

    /// The value with some parts replaced, doubled, renamed or left out.
    private static func damaged(
        _ value: JSONValue,
        rate: Double,
        from seeds: [JSONValue],
        _ random: inout SplitMix
    ) -> JSONValue {
        if Double.random(in: 0..<1, using: &random) < rate {
            let scalars: [JSONValue] = [
                nil, true, 0, -1, 1.5, 4_294_967_296, 1e300, "", ":", "push:", "push", "#", "a%b", "/../..", "//x", [],
                [:],
            ]
            return (scalars + seeds).randomElement(using: &random) ?? nil
        }
        switch value {
        case .array(let elements):
            var result = elements.map { damaged($0, rate: rate, from: seeds, &random) }
            if Double.random(in: 0..<1, using: &random) < rate {
                result += result
            }
            return .array(result)
        case .object(let object):
            var result = JSONObject()
            for member in object.members {
                switch Double.random(in: 0..<1, using: &random) {
                case ..<(rate / 2): continue
                case ..<rate: result[member.key + "~/"] = member.value
                default: result[member.key] = damaged(member.value, rate: rate, from: seeds, &random)
                }
            }
            return .object(result)
        default: return value
        }
    }
}

/// The same numbers on every run.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
