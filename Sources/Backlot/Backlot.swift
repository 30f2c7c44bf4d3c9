// Who imports Backlot gets the server, JSON values and the HTTP types with it.
@_exported public import BacklotHTTP
@_exported public import BacklotJSON
@_exported public import HTTPTypes
