// expect: unavailable from asynchronous contexts
func f(_ future: FutureImage) async throws -> UIImage { try future.waitForValue() }
