import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { CloseIcon } from '../../ui/icons.tsx';
import styles from './Drawer.module.css';
import { useMedia } from './use-media.ts';

type DrawerShellProps = { isOpen: boolean; title: string; onClose: () => void; children: ReactNode };

/** Beside the table where there is room for both, which stays live; over it, and modal, where there is not. */
export function DrawerShell({ isOpen, title, onClose, children }: DrawerShellProps) {
  const isBeside = useMedia('(min-width: 1280px)');
  return (
    <Radix.Root
      open={isOpen}
      modal={!isBeside}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Radix.Portal>
        {!isBeside && <div className={styles.scrim} />}
        <Radix.Content
          className={styles.drawer}
          aria-describedby={undefined}
          onInteractOutside={(event) => {
            if (isBeside) event.preventDefault();
          }}
        >
          <header className={styles.head}>
            <Radix.Title className={styles.title} title={title}>
              <bdi>{title}</bdi>
            </Radix.Title>
            <Radix.Close className={styles.close} aria-label="Close">
              <CloseIcon />
            </Radix.Close>
          </header>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
