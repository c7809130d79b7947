import Foundation

/// The number of threads on which the functions in CReference decode many images.
let cores = Int32(ProcessInfo.processInfo.activeProcessorCount)

/// Calls the body with the strings as C strings, which are valid only during the call.
func withCStrings<Result>(_ strings: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result) -> Result {
  var bytes: [CChar] = []
  var offsets: [Int] = []
  for string in strings {
    offsets.append(bytes.count)
    bytes += string.utf8CString
  }
  return bytes.withUnsafeBufferPointer { buffer in
    // Each offset is in the buffer, which does not move during the call, and each string ends in its zero byte.
    let pointers: [UnsafePointer<CChar>?] = offsets.map { offset in buffer.baseAddress.map { $0 + offset } }
    return pointers.withUnsafeBufferPointer { pointers in
      guard let first = pointers.baseAddress else { preconditionFailure("no strings") }
      return body(first)
    }
  }
}
