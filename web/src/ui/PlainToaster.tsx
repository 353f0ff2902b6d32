import type { Toast } from './toast-store.ts';
import styles from './PlainToaster.module.css';

/** The toast of a page that could not fetch the one it has: no motion and no gestures, but it is said. */
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
