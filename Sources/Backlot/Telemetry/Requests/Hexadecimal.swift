extension UInt64 {
    /// The number as 16 hexadecimal digits in lower case.
    var hexadecimal: String {
        unsafe String(unsafeUninitializedCapacity: 16) { digits in
            for index in 0..<16 {
                let digit = UInt8(truncatingIfNeeded: self >> UInt64(60 - index * 4)) & 15
                unsafe digits[index] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit
            }
            return 16
        }
    }
}
