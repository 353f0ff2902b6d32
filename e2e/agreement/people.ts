import type { Chance } from '../drills/chance.ts';

/**
 * A person in a history. Each email has a unique word, which its forms' names and companies also
 * have. An erasure must leave none of these words.
 */
export type Somebody = { email: string; words: string[] };

export type Cast = {
  /** Everybody who has an email now. */
  all(): Somebody[];
  /** Chooses somebody, who then counts as touched. */
  any(chance: Chance): Somebody;
  /** The people touched since the last step began. */
  touched(): Somebody[];
  beginStep(): void;
  /** Returns somebody new. */
  stranger(): Somebody;
  /** Replaces somebody whose email has changed, with the words that moved: all, or none. */
  move(one: Somebody, to: Somebody, words: string[]): void;
  /**
   * Lists former emails, which nobody has any more. An erased person's email is none: it has a word
   * that must be gone.
   */
  former(): Somebody[];
  /** Adds somebody else who has a former email. Its word is then no longer unique. */
  reuse(former: Somebody): Somebody;
  /** Replaces somebody who was erased. */
  erase(erased: Somebody): void;
  /** The words of erased people. */
  gone: string[];
  /** Everybody there ever was. */
  ever: Somebody[];
};

/** Creates the people of a history. `name` is unique among the histories of a database. */
export function createCast(name: string, size: number): Cast {
  let count = 0;
  const ever: Somebody[] = [];
  const newWord = () => {
    count += 1;
    return `${name}n${count}q`;
  };
  const add = (emailOf: (word: string) => string): Somebody => {
    const word = newWord();
    const one = { words: [word], email: emailOf(word) };
    ever.push(one);
    return one;
  };
  const stranger = () => add((word) => `${word}@reader.example`);
  const people = Array.from({ length: size }, stranger);
  const gone: string[] = [];
  const touched = new Set<Somebody>();
  const replace = (one: Somebody, by: Somebody) => {
    const index = people.indexOf(one);
    // Another action was faster.
    if (index !== -1) people[index] = by;
  };
  return {
    all: () => people,
    any(chance) {
      const chosen = chance.oneOf(people);
      touched.add(chosen);
      return chosen;
    },
    touched: () => [...touched],
    beginStep: () => touched.clear(),
    stranger,
    move(one, to, words) {
      // Corrected back in part: a word that stays with the others names no single person.
      if (words.length === 0 && to.words.some((word) => one.words.includes(word)))
        to.words = [newWord(), ...to.words.filter((word) => !one.words.includes(word))];
      to.words.push(...words);
      replace(one, people.includes(to) ? stranger() : to);
      touched.add(to);
    },
    former: () =>
      ever.filter(
        ({ email, words }) =>
          words.length > 0 &&
          !people.some((one) => one.email === email) &&
          !words.some((word) => gone.includes(word)),
      ),
    reuse(former) {
      const { email } = former;
      for (const one of ever) one.words = one.words.filter((word) => !email.startsWith(word));
      former.words = [];
      const newcomer = add(() => email);
      people.push(newcomer);
      touched.add(newcomer);
      return newcomer;
    },
    erase(erased) {
      gone.push(...erased.words);
      replace(erased, stranger());
    },
    gone,
    ever,
  };
}
