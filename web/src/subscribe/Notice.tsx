import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { FailedIcon } from '../ui/icons.tsx';
import styles from './Notice.module.css';

type NoticeProps = {
  /** What happened. */
  title: string;
  isFault?: boolean;
  children: ReactNode;
};

/** Says beside the button why the visitor is still at the form. It takes the focus, so that it is seen and read first. */
export function Notice({ title, isFault = false, children }: NoticeProps) {
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const button = notice.current?.closest('form')?.querySelector('[type="submit"]');
    notice.current?.focus({ preventScroll: true });
    // The button at the lower edge, so that the fields above the notice stay in sight too.
    button?.scrollIntoView({ block: 'end' });
    notice.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <div ref={notice} className={styles.notice} data-fault={isFault || undefined} tabIndex={-1}>
      {isFault && <FailedIcon />}
      <div>
        <p>
          <strong>{title}</strong>
        </p>
        {children}
      </div>
    </div>
  );
}
