import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { findHeading } from './find-heading.ts';
import { Key } from './fields.tsx';
import { SearchIcon } from './console-icons.tsx';
import styles from './SearchBox.module.css';

const SEARCH_AFTER_MS = 300;
const MAX_CHARS = 200;

type SearchBoxProps = {
  /** The search text in the URL, which the Back button or a link may change. */
  words: string;
  onSearch: (words: string) => void;
  onEnter?: (words: string) => void;
  label: string;
  hint?: string;
};

/** Searches when the operator stops typing, or at once on Enter. */
export function SearchBox({ words, onSearch, onEnter, label, hint = label }: SearchBoxProps) {
  const [typed, setTyped] = useState(words);
  const sent = useRef(words);
  useEffect(() => {
    // Our own search returns trimmed.
    if (words === sent.current) return;
    sent.current = words;
    setTyped(words);
  }, [words]);
  const search = (text: string) => {
    if (text.trim() === words) return;
    sent.current = text.trim();
    onSearch(text.trim());
  };
  const searchLater = useEffectEvent(search);
  useEffect(() => {
    const timer = setTimeout(() => searchLater(typed), SEARCH_AFTER_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <search className={styles.box}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          search(typed);
          onEnter?.(typed.trim());
        }}
      >
        <SearchIcon />
        <input
          type="search"
          aria-label={label}
          placeholder={hint}
          maxLength={MAX_CHARS}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onKeyDown={(event) => {
            // The browser empties the box at the first press.
            if (event.key === 'Escape' && typed === '')
              findHeading()?.focus({ preventScroll: true });
          }}
          onChange={(event) => setTyped(event.target.value)}
        />
        {typed !== '' && <Key aria-hidden="true">Esc</Key>}
      </form>
    </search>
  );
}
