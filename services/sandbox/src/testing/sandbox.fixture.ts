import { test as base } from '@site/testing/fixtures';

/** The fixtures with databases and Redis, and `sandbox`, started only if a test names it. */
export const test = base.extend('sandbox', async ({ onTestFinished }) => {
  // Loaded on demand, because most tests of a file may not use it.
  const { createSandbox } = await import('../sandbox.ts');
  const sandbox = await createSandbox({ port: 0 });
  onTestFinished(() => sandbox.close());
  return sandbox;
});
