// expect: unavailable from asynchronous contexts
import FutureImage
func f(_ future: FutureImage) async throws -> UIImage { try future.waitForValue() }
