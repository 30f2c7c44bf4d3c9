internal import Backlot

/// Makes the commands for stored sessions, and reads their replies.
struct SessionCommands: Sendable {
    /// The prefix of every key.
    let prefix: String

    func read(_ key: SessionHash) -> RedisCommand { RedisCommand(["HMGET", name(key)] + SessionScript.fields) }

    func insert(_ record: SessionRecord) -> RedisCommand {
        script(SessionScript.insert, keys: [record.key], fields(of: record))
    }

    func replace(_ key: SessionHash, version: Int, with record: SessionRecord) -> RedisCommand {
        script(SessionScript.replace, keys: [key, record.key], fields(of: record) + [key.hexadecimal, version])
    }

    func touch(_ key: SessionHash, lastSeen: Int, expiresAt: Int) -> RedisCommand {
        script(SessionScript.touch, keys: [key], [key.hexadecimal, lastSeen, expiresAt])
    }

    func remove(_ key: SessionHash) -> RedisCommand { script(SessionScript.remove, keys: [key], [key.hexadecimal]) }

    func removeAll(of user: String, mount: String) -> RedisCommand {
        script(SessionScript.removeAll, keys: [], [mount, user])
    }

    /// The session in a reply to `read`; nil for an unknown key.
    ///
    /// - Throws: `RedisError.unexpected` for fields that this store doesn't write.
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

    /// The number of sessions that a script has changed.
    static func count(in reply: RedisReply) throws(RedisError) -> Int {
        guard case .integer(let count) = reply else { throw .unexpected("no number") }
        return count
    }

    private func script(
        _ source: String,
        keys: [SessionHash],
        _ arguments: [any RedisArgument]
    ) -> RedisCommand {
        RedisCommand(["EVAL", source, keys.count] + keys.map(name) + [prefix] + arguments)
    }

    private func fields(of record: SessionRecord) -> [any RedisArgument] {
        [
            record.key.hexadecimal, record.mount, record.user ?? "", record.values, record.createdAt, record.lastSeen,
            record.expiresAt, record.version,
        ]
    }

    /// The common prefix of the keys of all sessions.
    var keyPrefix: [UInt8] { Array((prefix + "session:").utf8) }

    private func name(_ key: SessionHash) -> [UInt8] { keyPrefix + key.hexadecimal }
}

/// Scripts that change stored sessions. Redis runs each one atomically.
///
/// A session is a hash with the fields below, and Redis deletes it after its time to live. The sessions of a user in an app are
/// also in a set, sorted by their ends, so that all of them can be removed. The scripts derive the set's name themselves, so they
/// work on one server but not on a cluster.
enum SessionScript {
    /// The fields of a session's hash, in the order of reading and writing.
    static let fields = ["mount", "user", "values", "created_at", "last_seen", "expires_at", "version"]

    /// Stores a new session. `KEYS`: the session. `ARGV`: the prefix, the session's hash, and its fields.
    static let insert = common + "forget(KEYS[1], ARGV[2]) keep(KEYS[1]) return 1"

    /// Replaces a session, unless its version has changed. `KEYS`: the old and the new session. `ARGV`: the arguments of `insert`
    /// for the new session, the old session's hash, and its version.
    static let replace =
        common
            + """
            if redis.call('HGET', KEYS[1], 'version') ~= ARGV[11] then return 0 end
            forget(KEYS[1], ARGV[10])
            keep(KEYS[2])
            return 1
            """

    /// Notes a session's latest request, and moves its end. `KEYS`: the session. `ARGV`: the prefix, the session's hash, the time
    /// of its last request, and its end.
    static let touch =
        common
            + """
            local old = redis.call('HMGET', KEYS[1], 'last_seen', 'expires_at')
            if not old[1] then return 0 end
            if tonumber(ARGV[3]) > tonumber(old[1]) then redis.call('HSET', KEYS[1], 'last_seen', ARGV[3]) end
            if tonumber(ARGV[4]) > tonumber(old[2]) then
                redis.call('HSET', KEYS[1], 'expires_at', ARGV[4])
                local owner = owner(KEYS[1])
                if owner then list(owner, ARGV[4], ARGV[2]) end
                redis.call('EXPIREAT', KEYS[1], ARGV[4])
            end
            return 1
            """

    /// Removes a session. `KEYS`: the session. `ARGV`: the prefix, and the session's hash.
    static let remove = common + "forget(KEYS[1], ARGV[2]) return 1"

    /// Removes all sessions of a user in an app. `ARGV`: the prefix, the app's path, and the user.
    static let removeAll =
        common
            + """
            local owner = name(ARGV[2], ARGV[3])
            for _, id in ipairs(redis.call('ZRANGE', owner, 0, -1)) do redis.call('DEL', ARGV[1] .. 'session:' .. id) end
            redis.call('DEL', owner)
            return 1
            """

    private static let common = """
        local function name(mount, user) return ARGV[1] .. 'user:' .. #mount .. ':' .. mount .. user end
        local function owner(key)
            local found = redis.call('HMGET', key, 'mount', 'user')
            return found[1] and found[2] and name(found[1], found[2])
        end
        local function list(owner, ends, id)
            redis.call('ZREMRANGEBYSCORE', owner, '-inf', redis.call('TIME')[1])
            redis.call('ZADD', owner, ends, id)
            redis.call('EXPIREAT', owner, redis.call('ZRANGE', owner, -1, -1, 'WITHSCORES')[2])
        end
        local function forget(key, id)
            local owner = owner(key)
            if owner then redis.call('ZREM', owner, id) end
            redis.call('DEL', key)
        end
        local function keep(key)
            redis.call('HSET', key, 'mount', ARGV[3], 'values', ARGV[5], 'created_at', ARGV[6],
                'last_seen', ARGV[7], 'expires_at', ARGV[8], 'version', ARGV[9])
            if ARGV[4] ~= '' then
                redis.call('HSET', key, 'user', ARGV[4])
                list(name(ARGV[3], ARGV[4]), ARGV[8], ARGV[2])
            end
            redis.call('EXPIREAT', key, ARGV[8])
        end

        """
}
