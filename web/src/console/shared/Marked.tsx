import { toPlain, toWords } from '@site/schema/search-words';
import { Fragment } from 'react';
import styles from './Marked.module.css';

/** Marks the first place of each word that was searched for, with or without its accents. */
export function Marked({ text, words }: { text: string; words: string }) {
  const marks = findMarks(text, words);
  return (
    <bdi>
      {marks.map(({ at, end }, n) => (
        <Fragment key={at}>
          {text.slice(marks[n - 1]?.end ?? 0, at)}
          <mark className={styles.mark}>{text.slice(at, end)}</mark>
        </Fragment>
      ))}
      {text.slice(marks.at(-1)?.end)}
    </bdi>
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
