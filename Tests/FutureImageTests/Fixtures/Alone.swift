import FutureImage

/// Returns when the caller has the only reference to the future. A thread that delivered something to it may retain it a moment longer.
/// After that, the caller's release is the last one.
func alone(_ future: inout FutureImage?) async {
  await waitWhile(future != nil && !isKnownUniquelyReferenced(&future))
}
