public import BacklotJSON

/// An object that lists each of its keys once: its name on the wire, its value and its declaration.
///
/// ```swift
/// package func keys(_ keys: inout some Keys) {
///     keys("text", text).required("The message.")
///     keys("max_lines", maxLines).optional("The largest number of lines.", .unsigned)
/// }
/// ```
package protocol KeyedObject {
    /// The name of the object's kind on the wire.
    var wireName: StaticString { get }

    /// The roles that objects of this type have in documents.
    static var roles: [Role] { get }

    /// Keys that people write on such objects by mistake, each with advice. Clients don't read them.
    static var misnomers: [String: String] { get }

    /// Visits each key, in the order of the wire.
    func keys(_ keys: inout some Keys)
}

extension KeyedObject {
    package static var misnomers: [String: String] { [:] }
}

/// Visits an object's keys: ``JSONWriter`` writes their values, and ``KeyDeclarations`` collects their declarations.
@usableFromInline package protocol KeyVisitor: ~Copyable {
    /// The list of declarations; nil for a writer.
    var declarations: KeyDeclarations? { get }

    /// The variant of the format to write.
    var variant: Int { get }

    mutating func write(_ write: (inout JSONWriter) -> Void)
}

/// The constraint for parameters: a visitor, which may be noncopyable.
package typealias Keys = KeyVisitor & ~Copyable

extension JSONWriter: KeyVisitor {
    @inlinable package var declarations: KeyDeclarations? { @inline(__always) get { nil } }

    @inlinable @inline(__always)
    package mutating func write(_ write: (inout JSONWriter) -> Void) { write(&self) }
}

/// Collects the declarations of an object's keys, without their values.
@usableFromInline package final class KeyDeclarations: KeyVisitor {
    package private(set) var keys: [Key] = []
    @usableFromInline package var declarations: KeyDeclarations? { self }
    @usableFromInline package var variant: Int { 0 }

    @usableFromInline package func write(_ write: (inout JSONWriter) -> Void) {}

    @usableFromInline func add(_ keys: [Key]) { self.keys += keys }
}

extension KeyVisitor where Self: ~Copyable {
    /// A key with a text; a nil text isn't written. The call that follows declares the key.
    @inlinable @inline(__always)
    package mutating func callAsFunction(_ name: StaticString, _ value: String?) -> KeyDeclaration {
        self(name, .string) { $0.field($1, value) }
    }

    /// A key with a boolean.
    @inlinable @inline(__always)
    package mutating func callAsFunction(_ name: StaticString, _ value: Bool?) -> KeyDeclaration {
        self(name, .bool) { $0.field($1, value) }
    }

    /// A key with a whole number. The declaration names its exact type, such as `.unsigned`.
    @inlinable @inline(__always)
    package mutating func callAsFunction(_ name: StaticString, _ value: Int?) -> KeyDeclaration {
        self(name, .any) { $0.field($1, value) }
    }

    /// A key with a number.
    @inlinable @inline(__always)
    package mutating func callAsFunction(_ name: StaticString, _ value: Double?) -> KeyDeclaration {
        self(name, .number) { $0.field($1, value) }
    }

    /// A key of any type, with a closure that writes its name and value.
    @inlinable @inline(__always)
    package mutating func callAsFunction(
        _ name: StaticString,
        _ type: @autoclosure () -> ValueType,
        _ write: (inout JSONWriter, StaticString) -> Void
    ) -> KeyDeclaration {
        self.write { write(&$0, name) }
        return KeyDeclaration(declarations, name, declarations == nil ? .any : type())
    }

    /// A key with an object; nil leaves it out.
    package mutating func callAsFunction<Object: KeyedObject>(
        _ name: StaticString,
        _ object: Object?
    ) -> KeyDeclaration {
        self(name, .object(Object.roles[0])) { writer, name in
            if let object { writer.object(name) { object.keys(&$0) } }
        }
    }

    /// A key with objects; nil leaves it out.
    package mutating func callAsFunction<Object: KeyedObject>(
        _ name: StaticString,
        _ objects: [Object]?
    ) -> KeyDeclaration {
        self(name, .objects(Object.roles[0])) { writer, name in
            guard let objects else { return }
            writer.array(name) { writer in
                for object in objects { writer.object { object.keys(&$0) } }
            }
        }
    }

    /// Declares keys that are written elsewhere, or never.
    @inlinable @inline(__always)
    package func declare(_ keys: @autoclosure () -> [Key]) { declarations?.add(keys()) }
}

/// Declares the key whose value was just visited. A writer ignores the declaration.
@usableFromInline package struct KeyDeclaration {
    @usableFromInline let declarations: KeyDeclarations?
    @usableFromInline let name: StaticString
    @usableFromInline let type: ValueType

    @inlinable @inline(__always)
    init(_ declarations: KeyDeclarations?, _ name: StaticString, _ type: ValueType) {
        self.declarations = declarations
        self.name = name
        self.type = type
    }

    /// Declares a required key: clients refuse a document without it.
    ///
    /// - Parameter type: nil for the type that follows from the value.
    @inlinable @inline(__always)
    package func required(
        _ meaning: @autoclosure () -> String,
        _ type: @autoclosure () -> ValueType? = nil,
        support: @autoclosure () -> Support = .all,
        rule: @autoclosure () -> String? = nil
    ) {
        declarations?.add([
            .required("\(name)", type() ?? self.type, meaning(), support: support(), rule: rule())
        ])
    }

    /// Declares a recommended key: some clients refuse a document without it, and the others assume a value.
    @inlinable @inline(__always)
    package func recommended(
        _ meaning: @autoclosure () -> String,
        _ type: @autoclosure () -> ValueType? = nil,
        otherwise value: @autoclosure () -> JSONValue
    ) {
        declarations?.add([
            .recommended("\(name)", type() ?? self.type, otherwise: value(), meaning())
        ])
    }

    /// Declares an optional key.
    @inlinable @inline(__always)
    package func optional(
        _ meaning: @autoclosure () -> String,
        _ type: @autoclosure () -> ValueType? = nil,
        default value: @autoclosure () -> JSONValue? = nil,
        support: @autoclosure () -> Support = .all,
        rule: @autoclosure () -> String? = nil
    ) {
        declarations?.add([
            .optional("\(name)", type() ?? self.type, meaning(), default: value(), support: support(), rule: rule())
        ])
    }
}

extension [Key] {
    /// The keys that an object declares.
    package static func of(_ object: some KeyedObject) -> [Key] {
        var declarations = KeyDeclarations()
        object.keys(&declarations)
        return declarations.keys
    }
}

extension Kind {
    /// The kind of an object that declares its own keys.
    package convenience init(
        _ object: some KeyedObject,
        _ meaning: String,
        support: Support = .all,
        noun: String? = nil,
        instead: String? = nil,
        argument: String? = nil,
        misnomers: [String: String] = [:],
        formerNames: [String: String] = [:],
        groups: [KeyGroup] = []
    ) {
        self.init(
            "\(object.wireName)",
            as: type(of: object).roles,
            meaning,
            support: support,
            noun: noun,
            instead: instead,
            argument: argument,
            misnomers: misnomers.merging(type(of: object).misnomers) { own, _ in own },
            formerNames: formerNames,
            groups: groups,
            keys: .of(object)
        )
    }
}
