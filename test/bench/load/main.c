#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "callers.h"
#include "loop.h"
#include "vendors.h"

/* A call has up to four sockets. */
static void allow_many_sockets(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) < 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

/* The load of the bench: its callers or its vendors, each a process of one thread. */
int main(int count, char **words) {
  signal(SIGPIPE, SIG_IGN);
  allow_many_sockets();
  loop_start();
  if (count == 4 && strcmp(words[1], "callers") == 0) {
    callers_start(words[2], words[3]);
  } else if (count == 2 && strcmp(words[1], "vendors") == 0) {
    vendors_start();
  } else {
    fprintf(stderr, "usage: load callers <carrier's frames> <web frames> | load vendors\n");
    return 2;
  }
  loop_run();
}
