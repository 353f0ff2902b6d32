export type Timing = { p50: number; p95: number; max: number };

/** Runs a call repeatedly and returns its times in milliseconds, without the first few. */
export async function measure(
  call: (round: number) => Promise<unknown>,
  rounds: number,
): Promise<Timing> {
  const warmUp = Math.min(5, Math.ceil(rounds / 4));
  const taken: number[] = [];
  for (let round = 0; round < rounds + warmUp; round++) {
    const startedAt = performance.now();
    await call(round);
    if (round >= warmUp) taken.push(performance.now() - startedAt);
  }
  taken.sort((a, b) => a - b);
  const at = (share: number) =>
    taken[Math.min(taken.length - 1, Math.ceil(taken.length * share) - 1)] ?? 0;
  return { p50: at(0.5), p95: at(0.95), max: at(1) };
}
