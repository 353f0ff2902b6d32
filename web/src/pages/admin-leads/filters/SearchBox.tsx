import { useEffect, useRef, useState } from 'react';
import type { Ref } from 'react';
import { SearchIcon } from '../console-icons.tsx';
import styles from './SearchBox.module.css';

const SEARCH_AFTER_MS = 300;
const HINT = 'Search name, email, company';
const MAX_CHARS = 200;

type SearchBoxProps = {
  /** The search that holds, which may change without the box: by the back button, by a link. */
  words: string;
  onSearch: (words: string) => void;
  ref?: Ref<HTMLInputElement>;
};

/** Searches as soon as typing rests, or at once on Enter. */
export function SearchBox({ words, onSearch, ref }: SearchBoxProps) {
  const [typed, setTyped] = useState(words);
  const [heldWords, setHeldWords] = useState(words);
  if (words !== heldWords) {
    setHeldWords(words);
    // Its own search coming back must not tidy away a blank that is still being typed on.
    if (words !== typed.trim()) setTyped(words);
  }

  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const search = () => {
    clearTimeout(timer.current);
    if (typed.trim() !== words) onSearch(typed.trim());
  };
  // Another filter may have been chosen while typing rested: the search must join that one, not undo it.
  const latest = useRef(search);
  useEffect(() => {
    latest.current = search;
  });

  return (
    <search className={styles.box}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          search();
        }}
      >
        <SearchIcon />
        <input
          ref={ref}
          type="search"
          aria-label={HINT}
          placeholder={HINT}
          maxLength={MAX_CHARS}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            clearTimeout(timer.current);
            timer.current = setTimeout(() => latest.current(), SEARCH_AFTER_MS);
          }}
        />
        <kbd aria-hidden="true">/</kbd>
      </form>
    </search>
  );
}
