/// Forks a child for each line on standard input, one after the other. Call this function while the process has a single thread.
///
/// In a child, returns true, and `line` has the line. In the parent, prints the status and the time of each child that has ended, and
/// returns false after the last line or after an error. The standard error of a child goes to standard output.
/// - Parameter size: the number of bytes for the line and its terminating zero.
_Bool serve_next_run(char *line, int size);
