import { OFFER } from '@site/schema/offer';
import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { formatDated } from '../shared/london-time.ts';
import styles from './PrintLine.module.css';

export function PrintLine() {
  const [at, setAt] = useState(() => new Date());
  useEffect(() => {
    // The page is copied for the printer as soon as this returns.
    const update = () => flushSync(() => setAt(new Date()));
    window.addEventListener('beforeprint', update);
    return () => window.removeEventListener('beforeprint', update);
  }, []);
  return (
    <p className={styles.line}>
      {OFFER.productName}, printed {formatDated(at)}
    </p>
  );
}
