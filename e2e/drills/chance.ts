/** Repeatable random numbers: the same seed and name give the same sequence. */
export type Chance = {
  /** Returns a whole number from `least` to `most`. */
  whole(least: number, most: number): number;
  oneOf<T>(choices: readonly T[]): T;
};

export function createChance(seed: number, name: string): Chance {
  let state =
    Array.from(name).reduce((sum, letter) => Math.imul(sum, 31) + letter.charCodeAt(0), seed) >>> 0;
  // Mulberry32: small, and uniform enough to choose among a dozen faults.
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    whole: (least, most) => least + Math.floor(next() * (most - least + 1)),
    oneOf(choices) {
      const chosen = choices[Math.floor(next() * choices.length)];
      if (chosen === undefined) throw new Error('There is nothing to choose from');
      return chosen;
    },
  };
}
