/// Forks for each line on standard input, one after the other. Call it while the process has a single thread.
///
/// In the child, it returns true with the line. In the parent, it prints the end of each child, and returns false after the last line. What
/// a child prints on standard error goes to standard output.
/// - Parameter size: the number of bytes for the line and its end.
_Bool serve_next_run(char *line, int size);
