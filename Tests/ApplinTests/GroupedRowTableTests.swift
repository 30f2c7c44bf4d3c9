import Applin
import Testing

@Suite(.timeLimit(.minutes(5))) struct GroupedRowTableTests {
    @Test func emptyCellsAreNull() {
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

    @Test func spacing() {
        #expect(encoded(groupedRowTable([]).spacing(8)) == #"{"typ":"grouped_row_table","spacing":8,"row_groups":[]}"#)
    }

    @Test func rowsFromData() {
        let hours = ["Monday": "9–17"]
        let rows: [[(any Widget)?]] = hours.map { [text($0.key), text($0.value)] }
        #expect(
            encoded(groupedRowTable([rows]))
                == #"{"typ":"grouped_row_table","row_groups":[[[{"typ":"text","text":"Monday"},{"typ":"text","text":"9–17"}]]]}"#
        )
    }

    @Test func aTableIsOneGroup() {
        #expect(
            encoded(table([[text("a"), nil], [text("b")]]))
                == #"{"typ":"grouped_row_table","row_groups":[[[{"typ":"text","text":"a"},null],[{"typ":"text","text":"b"}]]]}"#
        )
    }
}
