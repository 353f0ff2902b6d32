import type { ReactNode } from 'react';
import styles from './Person.module.css';

/** Lists names and their values. Leaves out empty values. */
export function Facts({ of }: { of: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className={styles.facts}>
      {of.map(
        ([name, value]) =>
          Boolean(value) && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
