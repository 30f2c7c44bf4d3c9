internal import Backlot

/// The commands for stored sessions, and what their replies mean.
struct SessionCommands: Sendable {
    /// What every key begins with.
    let prefix: String

    func read(_ key: SessionHash) -> RedisCommand {
        var command = RedisCommand("HMGET")
        command.append(name(key))
        for field in SessionScript.fields { command.append(field) }
        return command
    }

    func insert(_ record: SessionRecord) -> RedisCommand {
        var command = script(SessionScript.insert, keys: [record.key])
        append(record, to: &command)
        return command
    }

    func replace(_ key: SessionHash, version: Int, with record: SessionRecord) -> RedisCommand {
        var command = script(SessionScript.replace, keys: [key, record.key])
        append(record, to: &command)
        command.append(key.hexadecimal)
        command.append(version)
        return command
    }

    func touch(_ key: SessionHash, lastSeen: Int, expiresAt: Int) -> RedisCommand {
        var command = script(SessionScript.touch, keys: [key])
        command.append(key.hexadecimal)
        command.append(lastSeen)
        command.append(expiresAt)
        return command
    }

    func remove(_ key: SessionHash) -> RedisCommand {
        var command = script(SessionScript.remove, keys: [key])
        command.append(key.hexadecimal)
        return command
    }

    func removeAll(of user: String, mount: String) -> RedisCommand {
        var command = script(SessionScript.removeAll, keys: [])
        command.append(mount)
        command.append(user)
        return command
    }

    /// The session that a reply to `read` holds; nil where there is none.
    ///
    /// - Throws: `RedisError.unexpected` when somebody else has written it.
    static func record(at key: SessionHash, in reply: RedisReply) throws(RedisError) -> SessionRecord? {
        guard case .array(let fields) = reply, fields.count == SessionScript.fields.count else {
            throw .unexpected("no fields of a session")
        }
        guard fields[0] != .none else { return nil }
        guard let mount = fields[0].text, let values = fields[2].bytes, let createdAt = fields[3].integer,
            let lastSeen = fields[4].integer, let expiresAt = fields[5].integer, let version = fields[6].integer
        else { throw .unexpected("a session that misses some of its fields") }
        return SessionRecord(
            key: key,
            mount: mount,
            user: fields[1].text,
            values: values,
            createdAt: createdAt,
            lastSeen: lastSeen,
            expiresAt: expiresAt,
            version: version
        )
    }

    /// How many sessions a script says it has changed.
    static func count(in reply: RedisReply) throws(RedisError) -> Int {
        guard case .integer(let count) = reply else { throw .unexpected("no number") }
        return count
    }

    private func script(_ source: String, keys: [SessionHash]) -> RedisCommand {
        var command = RedisCommand("EVAL", source, "\(keys.count)")
        for key in keys { command.append(name(key)) }
        command.append(prefix)
        return command
    }

    private func append(_ record: SessionRecord, to command: inout RedisCommand) {
        command.append(record.key.hexadecimal)
        command.append(record.mount)
        command.append(record.user ?? "")
        command.append(record.values)
        for number in [record.createdAt, record.lastSeen, record.expiresAt, record.version] { command.append(number) }
    }

    private func name(_ key: SessionHash) -> [UInt8] { Array((prefix + "session:").utf8) + key.hexadecimal }
}
