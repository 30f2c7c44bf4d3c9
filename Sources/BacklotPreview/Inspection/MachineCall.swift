import BacklotHTTP
import BacklotJSON
import HTTPTypes

/// `GET /__preview/machine` says where a phone in the same network finds this machine.
enum MachineCall {
    static var response: Response {
        .json(["hosts": .array(NetworkInterfaces.localNetworkHosts().map { .string($0) })])
    }
}

extension Response {
    static func json(_ value: JSONValue) -> Response {
        Response(headers: [.contentType: "application/json"], body: .bytes(value.bytes))
    }
}
