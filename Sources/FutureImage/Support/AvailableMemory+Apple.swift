#if canImport(UIKit)
import os

/// What the process may still use before the system ends it, in bytes; nil where the system does not say.
///
/// It says 0 of a process that is no app, and of one that is over its limit already. Source: Apple's documentation of the function.
func availableMemory() -> Int? {
  let bytes = os_proc_available_memory()
  return bytes > 0 ? bytes : nil
}
#endif
