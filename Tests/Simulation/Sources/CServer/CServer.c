#include "CServer.h"

#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

_Bool serve_next_run(char *line, int size) {
  // This process ends when the script that started it ends, for whatever reason. Each child ends when this process ends.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  while (fgets(line, size, stdin)) {
    pid_t child = fork();
    if (child == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      dup2(STDOUT_FILENO, STDERR_FILENO);
      return 1;
    }
    int status;
    struct rusage used;
    if (child < 0 || wait4(child, &status, 0, &used) < 0) {
      perror("the simulation's server");
      return 0;
    }
    long seconds = used.ru_utime.tv_sec + used.ru_stime.tv_sec, rest = used.ru_utime.tv_usec + used.ru_stime.tv_usec;
    // The line break at the beginning is needed in case the child was killed in the middle of a line.
    printf("\nserved: status %d, %ld microseconds\n", WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status),
           seconds * 1000000 + rest);
    fflush(stdout);
  }
  return 0;
}
