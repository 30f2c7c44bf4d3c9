import Applin
import Testing

@Suite(.timeLimit(.minutes(5))) struct GroupedRowTableTests {
    @Test func `Cells without a widget are null`() {
        let table = groupedRowTable([
            [
                [text("A1"), empty()],
                [nil, errorText("B2")],
            ],
            [
                []
            ],
            [],
        ])
        #expect(
            encoded(table)
                == #"{"typ":"grouped_row_table","row_groups":[[[{"typ":"text","text":"A1"},{"typ":"empty"}],"#
                + #"[null,{"typ":"error_text","text":"B2"}]],[[]],[]]}"#
        )
        #expect(table.children.map(\.typ.description) == ["text", "empty", "error_text"])
    }

    @Test(
        arguments: [
            (groupedRowTable {}, "[]"),
            (groupedRowTable { row(text("a"), nil) }, "[[[A,null]]]"),
            (groupedRowTable { rowGroup {} }, "[[]]"),
            (groupedRowTable { for _ in 0..<2 { row { text("a") } } }, "[[[A],[A]]]"),
            (
                groupedRowTable {
                    row {};
                    rowGroup {
                        row(nil); if Bool("false") ?? true { row {} }
                    }; row(nil); row(text("a"))
                },
                "[[[]],[[null]],[[null],[A]]]"
            ),
            (
                groupedRowTable {
                    rowGroup { row(text("a")) }; rowGroup { row(text("a")) }
                }, "[[[A]],[[A]]]"
            ),
            (
                groupedRowTable {
                    row {
                        text("a")
                        nil
                        if Bool("true") ?? false { text("a") } else { nil }
                        for _ in 0..<2 { text("a") }
                    }
                }, "[[[A,null,A,A,A]]]"
            ),
        ]
    )
    func `Rows and groups stand between braces`(table: GroupedRowTable, groups: String) {
        let groups = groups.replacing("A", with: #"{"typ":"text","text":"a"}"#)
        #expect(encoded(table) == #"{"typ":"grouped_row_table","row_groups":\#(groups)}"#)
    }

    @Test func `Spacing is written before the groups`() {
        #expect(encoded(groupedRowTable([]).spacing(8)) == #"{"typ":"grouped_row_table","spacing":8,"row_groups":[]}"#)
    }

    @Test func `Rows can be made from data`() {
        let hours = ["Monday": "9–17"]
        let rows: [[(any Widget)?]] = hours.map { [text($0.key), text($0.value)] }
        #expect(
            encoded(groupedRowTable([rows]))
                == #"{"typ":"grouped_row_table","row_groups":[[[{"typ":"text","text":"Monday"},{"typ":"text","text":"9–17"}]]]}"#
        )
    }

    @Test func `A table has one group`() {
        #expect(
            encoded(table([[text("a"), nil], [text("b")]]))
                == #"{"typ":"grouped_row_table","row_groups":[[[{"typ":"text","text":"a"},null],[{"typ":"text","text":"b"}]]]}"#
        )
    }
}
