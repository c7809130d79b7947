// The C library, for all files of the library, and the declarations that differ between C libraries. No other file imports it.
#if !canImport(CoreGraphics)
#if canImport(Glibc)
@_exported import Glibc
#elseif canImport(Musl)
@_exported import Musl
#elseif canImport(Android)
@_exported import Android
#elseif canImport(Bionic)
@_exported import Bionic
#endif

/// The type of the mutex in a ``Lock``. A waiting thread should spin for a while before it sleeps, because the work inside the lock takes
/// less time than putting a thread to sleep and waking it. In glibc, the adaptive mutex spins. In musl, each mutex spins. Bionic has no
/// adaptive mutex.
var lockMutexType: Int32 {
  #if canImport(Glibc)
  Int32(PTHREAD_MUTEX_ADAPTIVE_NP)
  #else
  Int32(PTHREAD_MUTEX_NORMAL)
  #endif
}

/// Reads the limit of the number of the process's file descriptors, as `getrlimit(2)` does. Only in glibc, `RLIMIT_NOFILE` is a value of
/// an enumeration.
func readDescriptorLimit(_ limit: inout rlimit) -> Bool {
  #if canImport(Glibc)
  getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
  #else
  getrlimit(RLIMIT_NOFILE, &limit) == 0
  #endif
}
#endif
