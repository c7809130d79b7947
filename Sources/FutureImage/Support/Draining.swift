#if canImport(ObjectiveC)
import ObjectiveC

/// Calls `body` and releases the temporary objects that the system's frameworks made in it.
///
/// A dispatch queue drains its own autorelease pool at no defined time, and a `WorkQueue` runs many jobs in one block, so the temporary
/// objects of many decodes would accumulate. This function surrounds each job, each frame, and each transform, as Apple recommends for
/// loops in "Using Autorelease Pool Blocks".
func draining<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
  try autoreleasepool(invoking: body)
}
#else
/// Calls `body`: without Objective-C there are no autoreleased objects.
func draining<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result { try body() }
#endif
