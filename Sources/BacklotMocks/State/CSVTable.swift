import Backlot

/// Rows of data in CSV (RFC 4180): the first record has the names of the fields. A comma, a semicolon or a tab separates them.
///
/// A column of numbers, or of `true` and `false`, has such values; an empty field in it is null. Other columns are texts.
struct CSVTable {
    /// The error of a file.
    struct ReadingError: Error, Equatable {
        let line: Int
        let text: String
    }

    private typealias Record = (line: Int, fields: [String])

    /// The rows, each with its line in the file.
    let rows: [(line: Int, row: JSONObject)]

    init(_ bytes: [UInt8]) throws(ReadingError) {
        guard bytes.count <= DataBucket.mostBytes else {
            let text = "the file has \(bytes.count) bytes; data may have \(DataBucket.mostBytes) at most"
            throw ReadingError(line: 1, text: text)
        }
        var records = try Self.records(in: SourceText.withoutMark(bytes))
        guard !records.isEmpty else {
            throw ReadingError(line: 1, text: "the first line is missing, which names the fields")
        }
        let (line, names) = records.removeFirst()
        var known: Set<String> = []
        for (index, name) in names.enumerated() {
            guard !name.isEmpty else { throw ReadingError(line: line, text: "the field \(index + 1) has no name") }
            guard known.insert(name).inserted else {
                throw ReadingError(line: line, text: "two fields have the name \(name.shown); rename one")
            }
        }
        for record in records where record.fields.count != names.count {
            let text = "\(record.fields.count) fields stand here, but the first line names \(names.count)"
            throw ReadingError(line: record.line, text: "\(text); put a field that holds the separator into quotes")
        }
        let columns = names.indices.map { column in Self.values(of: records.map { $0.fields[column] }) }
        rows = records.indices.map { index in
            let members = names.indices.map { (names[$0], columns[$0][index]) }
            return (records[index].line, JSONObject(pairs: members))
        }
    }

    /// The values of a column.
    private static func values(of texts: [String]) -> [JSONValue] {
        let values = texts.map { text in text.isEmpty ? JSONValue.null : try? JSONValue(parsing: Array(text.utf8)) }
        let given = values.filter { $0 != .null }
        let isOfOneType = given.allSatisfy { $0?.number != nil } || given.allSatisfy { $0?.bool != nil }
        return isOfOneType && !given.isEmpty ? values.map { $0 ?? .null } : texts.map(JSONValue.string)
    }

    /// The records, without blank lines.
    private static func records(in bytes: [UInt8]) throws(ReadingError) -> [Record] {
        let (quote, separator) = (UInt8(ascii: "\""), separator(of: bytes))
        var records: [Record] = []
        var (fields, field): ([String], [UInt8]) = ([], [])
        var (line, start, index) = (1, 1, bytes.startIndex)
        /// The beginning of the field's quotes; nil for a field without quotes.
        var quotedAt: Int?
        var isInside = false
        func end() throws(ReadingError) {
            guard let text = String(validating: field, as: UTF8.self) else {
                throw ReadingError(line: line, text: "the text isn't UTF-8; save the file as UTF-8")
            }
            fields.append(text)
            (field, quotedAt) = ([], nil)
        }
        func endRecord() throws(ReadingError) {
            let isBlank = fields.isEmpty && field.isEmpty && quotedAt == nil
            if !isBlank {
                try end()
                records.append((start, fields))
            }
            fields = []
        }
        while index < bytes.endIndex {
            let byte = bytes[index]
            index += 1
            let isBreak = byte == 0x0A || byte == 0x0D && (index == bytes.endIndex || bytes[index] != 0x0A)
            if isInside {
                if byte == quote, index < bytes.endIndex, bytes[index] == quote {
                    field.append(quote)
                    index += 1
                } else if byte == quote {
                    isInside = false
                } else {
                    field.append(byte)
                }
                if isBreak { line += 1 }
            } else if isBreak {
                try endRecord()
                line += 1
                start = line
            } else if byte == separator {
                try end()
            } else if byte == quote, field.isEmpty, quotedAt == nil {
                (quotedAt, isInside) = (line, true)
            } else if byte != 0x0D {
                if quotedAt != nil {
                    throw ReadingError(line: line, text: "a text follows the quotes; write quotes within a field twice")
                }
                field.append(byte)
            }
        }
        if isInside, let quotedAt { throw ReadingError(line: quotedAt, text: "the quotes that begin here don't end") }
        try endRecord()
        return records
    }

    /// The separator that the first line has most of.
    private static func separator(of bytes: [UInt8]) -> UInt8 {
        let first = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
        let counts = ",;\t".utf8.map { separator in (separator, first.count { $0 == separator }) }
        return counts.reduce((UInt8(ascii: ","), 0)) { $1.1 > $0.1 ? $1 : $0 }.0
    }
}
