/** What the global set-up provides to every test. */
export type ProvidedInfra = { adminUrl: string; templateDatabase: string; redisUrl: string };

declare module 'vitest' {
  interface ProvidedContext {
    infra: ProvidedInfra;
  }
}
