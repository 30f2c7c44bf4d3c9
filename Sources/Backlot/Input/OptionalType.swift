// Generic types, made accessible so that decoders can find the types inside them.

/// An optional of any type.
protocol OptionalType {
    static var wrapped: any Any.Type { get }
    static var none: Any { get }
    var some: (any Encodable)? { get }
}

extension Optional: OptionalType {
    static var wrapped: any Any.Type { Wrapped.self }
    static var none: Any { nil as Self as Any }
    var some: (any Encodable)? { flatMap { $0 as? any Encodable } }
}

/// An array or a set of any type.
protocol ArrayType {
    static var element: any Any.Type { get }
    static var empty: Any { get }
}

extension Array: ArrayType {
    static var element: any Any.Type { Element.self }
    static var empty: Any { Self() }
}

extension Set: ArrayType {
    static var element: any Any.Type { Element.self }
    static var empty: Any { Self() }
}

/// A dictionary of any type.
protocol DictionaryType {
    static var value: any Any.Type { get }
    static var empty: Any { get }
}

extension Dictionary: DictionaryType {
    static var value: any Any.Type { Value.self }
    static var empty: Any { Self() }
}
