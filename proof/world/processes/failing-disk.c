/*
 * Preloaded into a process (LD_PRELOAD), this makes the disk fail under one of its files: the file named by
 * FAILING_DISK holds the end of that file's path. While it holds one, syncs of the file report EIO; what was
 * written stays where the next process can read it, as it does on a real disk that fails. An empty or missing
 * file makes the disk whole again.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int fails(int fd) {
  const char *order = getenv("FAILING_DISK");
  if (order == NULL) return 0;
  char wanted[PATH_MAX], link[64], path[PATH_MAX];
  int file = open(order, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  ssize_t length = read(file, wanted, sizeof wanted - 1);
  close(file);
  if (length <= 0) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t found = readlink(link, path, sizeof path);
  return found >= length && memcmp(path + found - length, wanted, (size_t)length) == 0;
}

int fdatasync(int fd) {
  static int (*real)(int);
  if (real == NULL) real = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
  if (!fails(fd)) return real(fd);
  errno = EIO;
  return -1;
}

int fsync(int fd) {
  static int (*real)(int);
  if (real == NULL) real = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  if (!fails(fd)) return real(fd);
  errno = EIO;
  return -1;
}
