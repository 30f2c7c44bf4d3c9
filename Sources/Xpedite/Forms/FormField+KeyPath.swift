import Backlot

// Fields that are named after properties of the method's input, and filled with their values.

/// Makes a ``TextBox`` for a property, with its value in it.
///
/// ```swift
/// form(id: "customer") {
///     textbox(\.name, of: entry).title("Name")
///     checkbox(\.active, of: entry).title("Active")
/// }
/// .save(saveCustomer)
/// ```
/// - Parameters:
///   - field: a stored property. Its name is the field's name, regardless of `CodingKeys`.
///   - input: contains the value; nil for an empty field. An empty text counts as no value.
public func textbox<Input>(_ field: KeyPath<Input, some LosslessStringConvertible>, of input: Input?) -> TextBox {
    textbox(name: field.fieldName ?? "").value(filled(input?[keyPath: field]))
}

/// Makes a ``TextBox`` for a property that may be nil, with its value in it.
///
/// ```swift
/// textbox(\.phone, of: entry).title("Phone")
/// ```
public func textbox<Input, Value: LosslessStringConvertible>(
    _ field: KeyPath<Input, Value?>,
    of input: Input?
) -> TextBox {
    textbox(name: field.fieldName ?? "").value(filled(input?[keyPath: field]))
}

/// Makes a ``Password`` for a property. It begins empty, since secrets aren't sent back.
///
/// ```swift
/// password(\Member.pin).title("PIN")
/// ```
public func password<Input, Value>(_ field: KeyPath<Input, Value>) -> Password {
    password(name: field.fieldName ?? "")
}

/// Makes a ``TextView`` for a property, with its value in it.
///
/// ```swift
/// textview(\.notes, of: entry).title("Notes")
/// ```
public func textview<Input>(_ field: KeyPath<Input, String>, of input: Input?) -> TextView {
    textview(name: field.fieldName ?? "").value(filled(input?[keyPath: field]))
}

/// Makes a ``TextView`` for a property that may be nil, with its value in it.
///
/// ```swift
/// textview(\.phone, of: entry).title("Phones")
/// ```
public func textview<Input>(_ field: KeyPath<Input, String?>, of input: Input?) -> TextView {
    textview(name: field.fieldName ?? "").value(filled(input?[keyPath: field]))
}

/// Makes a ``Checkbox`` for a property, with the property's state.
///
/// ```swift
/// checkbox(\.active, of: entry).title("Active")
/// ```
public func checkbox<Input>(_ field: KeyPath<Input, Bool>, of input: Input?) -> Checkbox {
    checkbox(name: field.fieldName ?? "").value(input?[keyPath: field])
}

/// Makes a ``DateField`` for a property, with its day picked.
///
/// ```swift
/// date(\.since, of: entry).title("Member since")
/// ```
public func date<Input>(_ field: KeyPath<Input, Day>, of input: Input?) -> DateField {
    date(name: field.fieldName ?? "").value(input?[keyPath: field])
}

/// Makes a ``DateField`` for a property that may be nil, with its day picked.
///
/// ```swift
/// date(\.born, of: entry).title("Born")
/// ```
public func date<Input>(_ field: KeyPath<Input, Day?>, of input: Input?) -> DateField {
    date(name: field.fieldName ?? "").value(input.flatMap { $0[keyPath: field] })
}

/// Makes a ``Select`` for a property, which has the key of the chosen option.
///
/// ```swift
/// select(\.plan, of: entry, options: ["m": "Monthly", "y": "Yearly"]).title("Plan")
/// ```
public func select<Input>(
    _ field: KeyPath<Input, String>,
    of input: Input?,
    options: [String: String]
) -> Select {
    select(name: field.fieldName ?? "", options: options).value(filled(input?[keyPath: field]))
}

/// Makes a ``Radio`` for a property, which has the key of the chosen option.
///
/// ```swift
/// radio(\.plan, of: entry, options: ["m": "Monthly", "y": "Yearly"]).title("Plan")
/// ```
public func radio<Input>(
    _ field: KeyPath<Input, String>,
    of input: Input?,
    options: [String: String]
) -> Radio {
    radio(name: field.fieldName ?? "", options: options).value(filled(input?[keyPath: field]))
}

/// The text of a value; nil for an empty one.
private func filled(_ value: (some LosslessStringConvertible)??) -> String? {
    guard let value = value ?? nil else { return nil }
    let text = "\(value)"
    return text.isEmpty ? nil : text
}
