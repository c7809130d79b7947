/// Returns the error that the work throws, if any.
func caught(_ work: () throws -> Void) -> (any Error)? {
  do { try work() } catch { return error }
  return nil
}

func caught(_ work: () async throws -> Void) async -> (any Error)? {
  do { try await work() } catch { return error }
  return nil
}
