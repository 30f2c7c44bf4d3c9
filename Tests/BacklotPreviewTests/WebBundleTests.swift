import Testing

@testable import BacklotPreview

@Suite(.timeLimit(.minutes(5))) struct WebBundleTests {
    private let bundles = WebFiles.bundles

    @Test func `Each module is in one bundle`() {
        let members = bundles.entries.sorted().flatMap { bundles.members(of: $0) }
        #expect(members.sorted() == bundles.modules.keys.sorted())
        #expect(bundles.entries.count == 8)
    }

    @Test func `Imports and exports have the form that bundles read`() throws {
        for (path, module) in bundles.modules {
            for line in String(decoding: module.body, as: UTF8.self).split(separator: "\n") {
                #expect(!line.hasPrefix("import ") && !line.hasPrefix("export "), "\(path): \(line)")
            }
            for one in module.imports {
                let source = try #require(bundles.modules[one.path], "\(path) imports \(one.path)")
                for name in one.names.split(whereSeparator: { $0 == "," || $0 == " " }) {
                    #expect(source.exports.contains(String(name)), "\(path) imports \(name) from \(one.path)")
                }
            }
            for target in module.later { #expect(bundles.modules[target] != nil, "\(path) loads \(target)") }
        }
    }

    /// Modules that import each other are called later, by functions: see `WebBundles`.
    @Test func `What modules import from each other are functions`() throws {
        for entry in bundles.entries {
            let members = bundles.members(of: entry)
            for (index, path) in members.enumerated() {
                for one in try #require(bundles.modules[path]).imports {
                    guard let other = members.firstIndex(of: one.path), other > index else { continue }
                    let body = String(decoding: try #require(bundles.modules[one.path]).body, as: UTF8.self)
                    for name in one.names.split(whereSeparator: { $0 == "," || $0 == " " }) {
                        #expect(body.contains("function \(name)("), "\(path) imports \(name) from \(one.path)")
                    }
                }
            }
        }
    }

    private static func modules(_ texts: [String: String]) -> [String: WebModule] {
        .init(uniqueKeysWithValues: texts.map { ($0, WebModule(Array($1.utf8), at: $0, root: "/web")) })
    }

    @Test func `Modules become functions that return their exports`() {
        let bundles = WebBundles(
            Self.modules([
                "main.js": "import { a } from \"./core/a.js\";\nconst load = () => import(\"./x/index.js\");\na();\n",
                "core/a.js": "import { b,\n  c } from \"./b.js\";\nexport async function a() {}\nexport const d = 1;\n",
                "core/b.js": "import { a } from \"./a.js\";\nexport class b {}\nexport function* c() {}\n",
                "x/index.js":
                    "import { a } from \"../core/a.js\";\nimport { y } from \"./y.js\";\nexport function start() {}\n",
                "x/y.js": "export function y() {}\n",
            ]),
            root: "/web"
        )
        #expect(bundles.entries == ["main.js", "x/index.js"])
        #expect(
            String(decoding: bundles.text(of: "main.js"), as: UTF8.self) == """
                const $core_b = (() => {
                const a = (...all) => $core_a.a(...all);
                class b {}
                function* c() {}
                return {b,c};
                })();
                const $core_a = (() => {
                const { b,  c } = $core_b;
                async function a() {}
                const d = 1;
                return {a,d};
                })();
                const $main = (() => {
                const { a } = $core_a;
                const load = () => import("/web/x/index.js");
                a();
                return {};
                })();
                export {$core_b,$core_a,$main};

                """
        )
        #expect(
            String(decoding: bundles.text(of: "x/index.js"), as: UTF8.self) == """
                import {$core_a} from "/web/main.js";
                const $x_y = (() => {
                function y() {}
                return {y};
                })();
                const $x_index = (() => {
                const { a } = $core_a;
                const { y } = $x_y;
                function start() {}
                return {start};
                })();
                export const {start} = $x_index;

                """
        )
    }
}
