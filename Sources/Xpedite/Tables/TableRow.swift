public import BacklotJSON

/// A row of a table: its fields, of which the columns show some.
public typealias TableRow = JSONObject
