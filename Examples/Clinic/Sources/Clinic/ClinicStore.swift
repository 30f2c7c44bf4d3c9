import GRDB

/// An appointment of a patient.
struct Appointment: Codable, Sendable, FetchableRecord, MutablePersistableRecord {
    var id: Int64?
    var patient: String
    var reason: String
    var day: String
    var phone: String
    /// Whether the clinic has agreed.
    var isConfirmed = false
    /// A picture of the referral, as JPEG.
    var photo: [UInt8]?
    var state: String { isConfirmed ? "confirmed" : "waiting for the clinic" }

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

/// The clinic's data, in a file of SQLite or in memory.
struct ClinicStore: Sendable {
    private let database: DatabaseQueue

    /// - Parameter path: the file; nil for memory.
    init(path: String?) throws {
        database = try path.map { try DatabaseQueue(path: $0) } ?? DatabaseQueue()
        var migrator = DatabaseMigrator()
        migrator.registerMigration("first") { db in
            try db.create(table: "patient") { table in
                table.primaryKey("number", .text)
                table.column("birthday", .text).notNull()
            }
            try db.create(table: "appointment") { table in
                table.autoIncrementedPrimaryKey("id")
                table.column("patient", .text).notNull().references("patient").indexed()
                for name in ["reason", "day", "phone"] { table.column(name, .text).notNull() }
                table.column("isConfirmed", .boolean).notNull()
                table.column("photo", .blob)
            }
            // For trying the app.
            try db.execute(sql: "INSERT INTO patient VALUES ('1001', '1980-05-17'), ('1002', '1991-11-30')")
            var example = Appointment(patient: "1001", reason: "Check-up", day: "2027-03-01", phone: "555 0100")
            try example.insert(db)
        }
        try migrator.migrate(database)
    }

    /// - Throws: where the database doesn't answer.
    func check() async throws { _ = try await database.read { try Int.fetchOne($0, sql: "SELECT 1") } }

    func isPatient(_ number: String, born birthday: String) async throws -> Bool {
        try await database.read { db in
            let sql = "SELECT 1 FROM patient WHERE number = ? AND birthday = ?"
            return try Row.fetchOne(db, sql: sql, arguments: [number, birthday]) != nil
        }
    }

    func appointments(of patient: String) async throws -> [Appointment] {
        try await database.read { db in
            try Appointment.filter(Column("patient") == patient).order(Column("day"), Column("id")).fetchAll(db)
        }
    }

    func appointment(_ id: Int64, of patient: String) async throws -> Appointment? {
        try await database.read { db in
            try Appointment.filter(Column("id") == id && Column("patient") == patient).fetchOne(db)
        }
    }

    func save(_ appointment: Appointment) async throws {
        try await database.write { db in
            var appointment = appointment
            try appointment.save(db)
        }
    }

    func remove(_ appointment: Appointment) async throws {
        _ = try await database.write { try appointment.delete($0) }
    }
}
