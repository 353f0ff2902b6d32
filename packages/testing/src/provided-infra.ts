/** What the set-up of a test run hands to every test. */
export type ProvidedInfra = { adminUrl: string; templateDatabase: string; redisUrl: string };

declare module 'vitest' {
  interface ProvidedContext {
    infra: ProvidedInfra;
  }
}
