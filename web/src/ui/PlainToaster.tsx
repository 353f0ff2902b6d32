import type { Toast } from './toast-store.ts';
import styles from './PlainToaster.module.css';

/** The fallback if Toaster's code cannot be fetched: the same text without motion or gestures. */
export function PlainToaster({ toasts }: { toasts: readonly Toast[] }) {
  const shown = toasts.filter(({ open }) => open);
  return (
    <div role="alert" className={shown.length > 0 ? styles.toast : undefined}>
      {shown.map(({ id, title, description }) => (
        <p key={id}>
          <strong>{title}</strong> {description}
        </p>
      ))}
    </div>
  );
}
