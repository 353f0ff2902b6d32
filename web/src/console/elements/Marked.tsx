import { toPlain, toWords } from '@site/schema/search-words';
import { Fragment } from 'react';
import type { ReactNode } from 'react';
import { EmailText } from '../../ui/EmailText.tsx';
import styles from './Marked.module.css';

type MarkedProps = { text: string; words: string; before?: string };

/** Marks the first place of each word that was searched for, with or without its accents. */
export function Marked({ text, words, before = '@' }: MarkedProps) {
  const marks = findMarks(text, words);
  return (
    <EmailText before={before} show={(part, from) => markPart(part, from, marks)}>
      {text}
    </EmailText>
  );
}

/** Marks what of the places is in a part of the text. */
function markPart(part: string, from: number, marks: ReturnType<typeof findMarks>): ReactNode {
  const within = marks
    .map(({ at, end }) => ({ at: Math.max(at - from, 0), end: Math.min(end - from, part.length) }))
    .filter(({ at, end }) => end > at);
  return (
    <>
      {within.map(({ at, end }, n) => (
        <Fragment key={at}>
          {part.slice(within[n - 1]?.end ?? 0, at)}
          <mark className={styles.mark}>{part.slice(at, end)}</mark>
        </Fragment>
      ))}
      {part.slice(within.at(-1)?.end)}
    </>
  );
}

/** Finds where words that were searched for stand in a text. */
export function findMarks(text: string, words: string): { at: number; end: number }[] {
  const plain = toPlain(text);
  // Where letters lose more than their accents, no place is known.
  if (words === '' || plain.length !== text.length) return [];
  const places = toWords(toPlain(words))
    .map((word) => ({ at: plain.indexOf(word), end: plain.indexOf(word) + word.length }))
    .filter(({ at, end }) => at >= 0 && end > at)
    .toSorted((one, other) => one.at - other.at || other.end - one.end);
  return places.filter(({ at }, n) => at >= (places[n - 1]?.end ?? 0));
}
