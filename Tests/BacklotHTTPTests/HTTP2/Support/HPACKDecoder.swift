/// Reads the header lists that a server writes (RFC 7541).
struct HPACKDecoder {
    struct Malformed: Error {}

    private var dynamic: [(String, String)] = []
    private var capacity = 4096

    mutating func decode(_ block: [UInt8]) throws -> [(name: String, value: String)] {
        var fields: [(String, String)] = []
        var rest = block[...]
        while let first = rest.first {
            if first & 0x80 != 0 {
                fields.append(try field(at: Self.integer(&rest, prefix: 7)))
            } else if first & 0xC0 == 0x40 {
                let field = try literal(&rest, prefix: 6)
                fields.append(field)
                remember(field)
            } else if first & 0xE0 == 0x20 {
                capacity = try Self.integer(&rest, prefix: 5)
                evict()
            } else {
                fields.append(try literal(&rest, prefix: 4))
            }
        }
        return fields
    }

    private func literal(_ rest: inout ArraySlice<UInt8>, prefix: Int) throws -> (String, String) {
        let index = try Self.integer(&rest, prefix: prefix)
        let name = index == 0 ? try Self.string(&rest) : try field(at: index).0
        return (name, try Self.string(&rest))
    }

    private func field(at index: Int) throws -> (String, String) {
        let known = Self.known
        if (1...known.count).contains(index) { return known[index - 1] }
        guard index > known.count, index - known.count <= dynamic.count else { throw Malformed() }
        return dynamic[index - known.count - 1]
    }

    private mutating func remember(_ field: (String, String)) {
        dynamic.insert(field, at: 0)
        evict()
    }

    private mutating func evict() {
        func size(_ field: (String, String)) -> Int { field.0.utf8.count + field.1.utf8.count + 32 }
        while dynamic.map(size).reduce(0, +) > capacity { dynamic.removeLast() }
    }

    static func integer(_ rest: inout ArraySlice<UInt8>, prefix: Int) throws -> Int {
        guard let first = rest.popFirst() else { throw Malformed() }
        let most = 1 << prefix - 1
        var value = Int(first) & most
        guard value == most else { return value }
        for shift in stride(from: 0, through: 28, by: 7) {
            guard let byte = rest.popFirst() else { throw Malformed() }
            value += Int(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return value }
        }
        throw Malformed()
    }

    private static func string(_ rest: inout ArraySlice<UInt8>) throws -> String {
        let isCoded = (rest.first ?? 0) & 0x80 != 0
        let count = try integer(&rest, prefix: 7)
        guard count <= rest.count else { throw Malformed() }
        let bytes = Array(rest.prefix(count))
        rest = rest.dropFirst(count)
        return spelled(isCoded ? try HuffmanCode.decode(bytes) : bytes)
    }

    /// RFC 7541, appendix A.
    private static let known: [(String, String)] = {
        let names = """
            :authority,:method=GET,:method=POST,:path=/,:path=/index.html,:scheme=http,:scheme=https,:status=200,\
            :status=204,:status=206,:status=304,:status=400,:status=404,:status=500,accept-charset,\
            accept-encoding=gzip, deflate,accept-language,accept-ranges,accept,access-control-allow-origin,age,allow,\
            authorization,cache-control,content-disposition,content-encoding,content-language,content-length,\
            content-location,content-range,content-type,cookie,date,etag,expect,expires,from,host,if-match,\
            if-modified-since,if-none-match,if-range,if-unmodified-since,last-modified,link,location,max-forwards,\
            proxy-authenticate,proxy-authorization,range,referer,refresh,retry-after,server,set-cookie,\
            strict-transport-security,transfer-encoding,user-agent,vary,via,www-authenticate
            """
        var fields: [(String, String)] = []
        for part in names.split(separator: ",") {
            if part.hasPrefix(" ") {
                fields[fields.count - 1].1 += ",\(part)"
                continue
            }
            let halves = part.split(separator: "=", maxSplits: 1)
            fields.append((String(halves[0]), halves.count > 1 ? String(halves[1]) : ""))
        }
        return fields
    }()
}
