import Testing

@testable import BacklotPreview

@Suite(.timeLimit(.minutes(5))) struct WebTextTests {
    @Test(
        arguments: [
            ("a.js", "// About it.\n\n  let a = \"// no remark\";  // a remark\n", "let a=\"// no remark\";\n"),
            ("a.js", "/** Says.\n * more */\na()\n/* one */\nb() /* in */ + 1\n", "a()\nb()+1\n"),
            ("a.js", "if (a) {\n  b();\n}\nc()\n", "if(a){b();}\nc()\n"),
            ("a.js", "return a\n  + b", "return a\n+b\n"),
            ("a.js", "a + +b - -c + ++d", "a+ +b- -c+ ++d\n"),
            ("a.js", "x = a / b / c; y = a / /* in */ /'/.exec(b)", "x=a/b/c;y=a/ /'/.exec(b)\n"),
            ("a.js", "return /[/\"]\\/ `/g.test(a) // gone", "return/[/\"]\\/ `/g.test(a)\n"),
            ("a.js", "const {a} = b; f(/ {2,}/, 'it\\'s  // so')", "const{a}=b;f(/ {2,}/,'it\\'s  // so')\n"),
            ("a.js", "`a  ${ b({ c : `d  ${ e }  f` }) }  // g` + h", "`a  ${b({c:`d  ${e}  f`})}  // g`+h\n"),
            (
                "a.js", "class A {\n  #b = 1;\n  get c() { return this.#b }\n}",
                "class A{#b=1;get c(){return this.#b}}\n"
            ),
            ("a.js", "a = \"é  ü\"; é = in_ / 2 / 3", "a=\"é  ü\";é=in_/2/3\n"),
            (
                "a.css", "/* It is.\n   So. */\n.a > .b, c :is(d) { e: calc(1px + 2px); }\n",
                ".a > .b,c :is(d){e:calc(1px + 2px);}\n"
            ),
            ("a.css", "a::before { content: \"  /* \"; }", "a::before{content:\"  /* \";}\n"),
            ("icon.svg", "  <svg>\n // x\n", "  <svg>\n // x\n"),
            ("codemirror/a.js", "// Its licence.\n// MIT\n\na()\n// gone\n", "// Its licence.\n// MIT\na()\n"),
            // Texts that end too soon.
            ("a.js", "", ""), ("a.js", "// only", ""), ("a.js", "/* without an end\na()", ""), ("a.js", "/*", ""),
            ("a.js", "a(\"b\\", "a(\"b\\\n"), ("a.js", "`a${b", "`a${b\n"), ("a.js", "`a\\", "`a\\\n"),
            ("a.js", "= /a[", "=/a[\n"),
            ("a.js", "}}`", "}}`\n"), ("a.css", "'", "'\n"), ("codemirror/a.js", "// MIT", "// MIT\n"),
        ]
    )
    func `Remarks and needless white space aren't sent`(name: String, text: String, expected: String) {
        #expect(String(decoding: WebText(Array(text.utf8), named: name).bytes, as: UTF8.self) == expected)
    }

    /// To be read again changes nothing: each token is found where it was.
    @Test func `What is short stays`() throws {
        for path in WebFiles.paths {
            let bytes = try #require(WebFiles()[path]).bytes
            let isSame = WebText(bytes, named: path).bytes == bytes
            #expect(isSame, "\(path)")
        }
    }
}
