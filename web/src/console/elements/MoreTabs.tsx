import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { ChevronIcon } from './console-icons.tsx';
import { formatCount } from './format-count.ts';
import styles from './MoreTabs.module.css';

type MoreTabsProps = {
  chosen: string | false | undefined;
  /** How many are behind it that somebody has to look at. */
  count?: number | undefined;
  children: ReactNode;
};

/** What a phone's line of tabs has no room for. A chosen one takes the place of "More". */
export function MoreTabs({ chosen, count = 0, children }: MoreTabsProps) {
  const more = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const closeFor = ({ target }: Event) => {
      if (more.current && target instanceof Node && !more.current.contains(target)) more.current.open = false;
    };
    document.addEventListener('click', closeFor);
    return () => document.removeEventListener('click', closeFor);
  }, []);
  const { key: address } = useLocation();
  return (
    // A choice is a new address, which closes it.
    <details ref={more} key={address} className={styles.more}>
      <summary data-chosen={chosen || undefined}>
        {chosen || `More${count > 0 ? ` ${formatCount(count)}` : ''}`} <ChevronIcon />
      </summary>
      <div>{children}</div>
    </details>
  );
}
