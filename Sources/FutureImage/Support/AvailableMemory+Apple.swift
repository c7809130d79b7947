#if canImport(UIKit)
/// The bytes that the process may still use before the system ends it; nil if the system does not say.
///
/// `os_proc_available_memory` returns 0 for a process that is not an app, and for one that is over its limit already (Apple's
/// documentation). It is looked up at run time: Mac Catalyst apps that linked it ended at launch on systems without it ([bugsnag-cocoa
/// #1025](https://github.com/bugsnag/bugsnag-cocoa/issues/1025)).
func availableMemory() -> Int? {
  guard let symbol = dlsym(dlopen(nil, RTLD_NOW), "os_proc_available_memory") else { return nil }
  // The function of that name takes no arguments and returns a size.
  let bytes = unsafeBitCast(symbol, to: (@convention(c) () -> Int).self)()
  return bytes > 0 ? bytes : nil
}
#endif
