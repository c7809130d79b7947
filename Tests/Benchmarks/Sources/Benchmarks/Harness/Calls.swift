import Foundation

/// How many threads the references use.
let cores = Int32(ProcessInfo.processInfo.activeProcessorCount)

/// The strings as C wants them; they live as long as the call.
func withCStrings<Result>(_ strings: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result) -> Result {
  var bytes: [CChar] = []
  var offsets: [Int] = []
  for string in strings {
    offsets.append(bytes.count)
    bytes += string.utf8CString
  }
  return bytes.withUnsafeBufferPointer { buffer in
    // Each offset lies in the buffer, which stays where it is during the call, and each string ends in its zero byte.
    let pointers: [UnsafePointer<CChar>?] = offsets.map { offset in buffer.baseAddress.map { $0 + offset } }
    return pointers.withUnsafeBufferPointer { pointers in
      guard let first = pointers.baseAddress else { preconditionFailure("no strings") }
      return body(first)
    }
  }
}
