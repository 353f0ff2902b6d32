/** Provided to every test by the global set-up. */
export type ProvidedInfra = { adminUrl: string; templateDatabase: string; redisUrl: string };

declare module 'vitest' {
  interface ProvidedContext {
    infra: ProvidedInfra;
  }
}
