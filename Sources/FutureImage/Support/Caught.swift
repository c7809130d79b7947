/// What the work throws, if it does.
func caught(_ work: () throws -> Void) -> (any Error)? {
  do { try work() } catch { return error }
  return nil
}

func caught(_ work: () async throws -> Void) async -> (any Error)? {
  do { try await work() } catch { return error }
  return nil
}
