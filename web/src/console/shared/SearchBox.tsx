import { useEffect, useRef, useState } from 'react';
import type { Ref } from 'react';
import { findHeading } from '../../ui/find-heading.ts';
import { Key } from './Key.tsx';
import { SearchIcon } from './console-icons.tsx';
import { useNarrow } from './use-media.ts';
import styles from './SearchBox.module.css';

const SEARCH_AFTER_MS = 300;
const NAME = 'Search name, email, company';
/** Fits beside "Retry failed…" on the narrowest phone. */
const SHORT_HINT = 'Name, email, company';
const MAX_CHARS = 200;

type SearchBoxProps = {
  /** The search in the address, which the back button or a link may change. */
  words: string;
  onSearch: (words: string) => void;
  /** Leads from the box into the rows below. */
  onDown?: () => void;
  label?: string;
  hint?: string;
  ref?: Ref<HTMLInputElement>;
};

/** Searches when the operator stops typing, or at once on Enter, which then leads into the rows below. */
export function SearchBox({ words, onSearch, onDown, label = NAME, hint, ref }: SearchBoxProps) {
  const leadHint = useNarrow() ? SHORT_HINT : NAME;
  const [typed, setTyped] = useState(words);
  const [appliedWords, setAppliedWords] = useState(words);
  const [ownSearches, setOwnSearches] = useState<readonly string[]>([]);
  if (words !== appliedWords) {
    setAppliedWords(words);
    // Our own search comes back trimmed, and late. It must not remove what the operator has typed since.
    const own = ownSearches.lastIndexOf(words);
    setOwnSearches(ownSearches.slice(own + 1));
    if (own === -1) setTyped(words);
  }

  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const search = () => {
    clearTimeout(timer.current);
    if (typed.trim() === words) return;
    setOwnSearches((before) => [...before, typed.trim()]);
    onSearch(typed.trim());
  };
  // The operator may choose another filter before the timer ends. The search must be added to that one.
  const latest = useRef(search);
  useEffect(() => {
    latest.current = search;
  });

  return (
    <search className={styles.box}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (typed.trim() === words) onDown?.();
          else search();
        }}
      >
        <SearchIcon />
        <input
          ref={ref}
          type="search"
          aria-label={label}
          placeholder={hint ?? leadHint}
          maxLength={MAX_CHARS}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onKeyDown={(event) => {
            // The key leads to this box, and does so when the box has the focus already.
            if (event.key === '/' && typed === '') event.preventDefault();
            // The browser empties the box at the first.
            if (event.key === 'Escape' && typed === '')
              findHeading()?.focus({ preventScroll: true });
            if (event.key !== 'ArrowDown' || !onDown) return;
            event.preventDefault();
            search();
            onDown();
          }}
          onChange={(event) => {
            setTyped(event.target.value);
            clearTimeout(timer.current);
            timer.current = setTimeout(() => latest.current(), SEARCH_AFTER_MS);
          }}
        />
        <Key aria-hidden="true">{typed === '' ? '/' : 'Esc'}</Key>
      </form>
    </search>
  );
}
