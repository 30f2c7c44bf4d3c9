// Who imports Backlot gets the server and the HTTP types with it.
@_exported public import BacklotHTTP
@_exported public import HTTPTypes
