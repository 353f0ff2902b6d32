import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { ChevronIcon } from './console-icons.tsx';
import styles from './MoreTabs.module.css';

const EVENTS = ['click', 'keydown', 'keyup'] as const;

type MoreTabsProps = {
  chosen: string | false | undefined;
  children: ReactNode;
};

/** What a phone's line of tabs has no room for. A chosen one takes the place of "More". */
export function MoreTabs({ chosen, children }: MoreTabsProps) {
  const more = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const closeFor = (event: Event) => {
      const isOutside = event.target instanceof Node && !more.current?.contains(event.target);
      const key = event instanceof KeyboardEvent ? event.key : undefined;
      // A press beside it, Escape, or Tab that has led out of it.
      const isEnd =
        event.type === 'keydown'
          ? key === 'Escape'
          : isOutside && (key === undefined || key === 'Tab');
      if (!more.current?.open || !isEnd) return;
      more.current.open = false;
      if (key === 'Escape') more.current.querySelector('summary')?.focus();
      // Another tab is chosen at once.
      if (event.target instanceof Element && event.target.closest('nav')?.contains(more.current))
        return;
      // A tap elsewhere closes it, and opens nothing.
      event.preventDefault();
      event.stopPropagation();
    };
    for (const type of EVENTS) document.addEventListener(type, closeFor, true);
    return () => {
      for (const type of EVENTS) document.removeEventListener(type, closeFor, true);
    };
  }, []);
  const { key: address } = useLocation();
  return (
    // A choice is a new address, which closes it.
    <details ref={more} key={address} className={styles.more}>
      <summary data-chosen={chosen || undefined}>
        {chosen || 'More'} <ChevronIcon />
      </summary>
      <div>{children}</div>
    </details>
  );
}
