import Foundation

/// Whether the process runs under the address or the thread sanitizer, which retain freed memory and use memory of their own.
let isSanitized = ["__asan_init", "__tsan_init"].contains { (symbol: String) in dlsym(nil, symbol) != nil }
