const CHECK_PARENT_MS = 500;

/**
 * Returns a signal that aborts when this process should stop: on Ctrl-C, SIGTERM or SIGHUP, when
 * its IPC channel closes, or when the npm that started it was killed.
 */
export function listenForStop() {
  const controller = new AbortController();
  const stop = () => controller.abort();
  // The terminal and npm both send SIGINT, so a second one means nothing.
  for (const name of ['SIGINT', 'SIGTERM']) process.on(name, stop);
  // Only on a terminal, because a listener would override nohup.
  if (process.stdout.isTTY) process.on('SIGHUP', stop);
  process.on('disconnect', stop);
  // A closed terminal must not end this process before it has stopped the others.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', stop);
  // package.json's scripts use `exec`, so that npm is the parent and no shell in between swallows
  // signals.
  if (process.env.npm_lifecycle_event) watchParent(stop);
  return controller.signal;
}

function watchParent(stop) {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid !== parent) stop();
  }, CHECK_PARENT_MS);
  timer.unref();
}
