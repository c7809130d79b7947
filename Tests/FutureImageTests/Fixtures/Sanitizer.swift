import Foundation

/// Whether the process runs under the address sanitizer or the thread sanitizer. Both retain freed memory, and need additional memory.
let isSanitized = ["__asan_init", "__tsan_init"].contains { (symbol: String) in dlsym(dlopen(nil, RTLD_NOW), symbol) != nil }
