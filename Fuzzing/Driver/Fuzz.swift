import Dispatch

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The target that `FUZZ_TARGET` names.
private let target: FuzzTarget = {
    let name = unsafe getenv("FUZZ_TARGET").map { unsafe String(cString: $0) } ?? ""
    guard let target = FuzzTarget.named(name) else {
        let names = FuzzTarget.all.map { $0.name }.joined(separator: ", ")
        fatalError("FUZZ_TARGET is '\(name)': set it to one of \(names)")
    }
    return target
}()

/// Called by libFuzzer with each input. A trap is what it reports, with the input that led there.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
    let done = DispatchSemaphore(value: 0)
    // Most targets never suspend, and run here to their end.
    Task.immediate {
        do throws(Violation) {
            _ = try await target.check(input)
        } catch {
            fatalError("\(target.name): \(error)")
        }
        done.signal()
    }
    done.wait()
    return 0
}
