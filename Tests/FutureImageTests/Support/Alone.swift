import FutureImage

/// Returns when nobody else has a hold of the future: a thread that told it of something may have, for a moment. Who lets go of it then
/// is the last.
func alone(_ future: inout FutureImage?) async {
  while future != nil, !isKnownUniquelyReferenced(&future) { await Task.yield() }
}
