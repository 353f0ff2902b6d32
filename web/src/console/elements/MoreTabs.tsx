import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { ChevronIcon } from './console-icons.tsx';
import styles from './MoreTabs.module.css';

/** What a phone's line of tabs has no room for. A chosen one takes the place of "More". */
export function MoreTabs({ chosen, children }: { chosen: string | false | undefined; children: ReactNode }) {
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
        {chosen || 'More'} <ChevronIcon />
      </summary>
      <div>{children}</div>
    </details>
  );
}
