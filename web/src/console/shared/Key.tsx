import type { ComponentProps } from 'react';
import styles from './Key.module.css';

export function Key(props: ComponentProps<'kbd'>) {
  return <kbd {...props} className={styles.key} />;
}
