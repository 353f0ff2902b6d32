const LOOK_AT_PARENT_MS = 500;

/**
 * A signal that aborts when this process is asked to end: by Ctrl-C, by SIGTERM or SIGHUP, by the one that holds its
 * IPC channel, or because the npm that started it is gone without a word (it was killed).
 */
export function listenForStop() {
  const controller = new AbortController();
  const stop = () => controller.abort();
  // npm passes on the SIGINT that the terminal has sent to us as well: a second one means nothing.
  for (const name of ['SIGINT', 'SIGTERM']) process.on(name, stop);
  // To listen elsewhere would undo nohup.
  if (process.stdout.isTTY) process.on('SIGHUP', stop);
  process.on('disconnect', stop);
  // A terminal that is gone must not end us before we have ended the rest.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', stop);
  // The scripts in package.json say `exec`, so that npm is our parent and no shell swallows its signals between us.
  if (process.env.npm_lifecycle_event) watchParent(stop);
  return controller.signal;
}

function watchParent(stop) {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid !== parent) stop();
  }, LOOK_AT_PARENT_MS);
  timer.unref();
}
