import styles from './Brand.module.css';

/** Renders the mark and the name: ruled lines behind a red double margin. */
export function Brand({ name }: { name: string }) {
  return (
    <span className={styles.brand}>
      <svg width="24" height="24" viewBox="0 0 24 24" aria-hidden="true" fill="none">
        <path d="M0 3h24M11 9h13M11 15h8M0 21h24" stroke="currentColor" strokeWidth="2" />
        <path d="M4.5 0v24M7.5 0v24" stroke="var(--margin-rule)" />
      </svg>
      <span>{name}</span>
    </span>
  );
}
