extension FutureImage {
  /// A recipe that makes a future of the URL, and nothing more.
  public enum Plain: Recipe {}
}
