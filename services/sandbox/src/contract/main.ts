import { randomBytes } from 'node:crypto';
import { runContract } from './run-contract.ts';

// npm run contract. Next: run-contract.ts.
process.exitCode = await runContract(process.argv.slice(2), process.env, {
  tag: randomBytes(5).toString('hex'),
  print: (line) => console.log(line),
});
