import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { CloseIcon } from '../../ui/icons.tsx';
import { useMedia } from '../shared/use-media.ts';

import styles from './Drawer.module.css';
import { useDrawerFocus } from './use-drawer-focus.ts';

const BESIDE_LIST = 'data-beside-list';

/** A part of the drawer that, while it is shown, Escape closes instead of the drawer. */
export const OWN_ESCAPE = 'data-own-escape';

/** Characters that stand on one line beside the button. */
const LONG_TITLE = 32;
const LONG_ADDRESS = 20;

type DrawerShellProps = {
  leadId: string | undefined;
  title: string;
  onClose: () => void;
  children: ReactNode;
};

/** Shows the drawer beside the list where both fit. On a narrower screen it is modal. */
export function DrawerShell({ leadId, title, onClose, children }: DrawerShellProps) {
  const isBeside = useMedia('(min-width: 80em)');
  const focus = useDrawerFocus(leadId);
  return (
    <Radix.Root
      open={leadId !== undefined}
      modal={!isBeside}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Radix.Portal>
        {!isBeside && <div className={styles.scrim} />}
        <Radix.Content
          {...focus}
          className={styles.drawer}
          aria-describedby={undefined}
          onInteractOutside={(event) => {
            if (isBeside) event.preventDefault();
          }}
          {...{ [BESIDE_LIST]: '' }}
          onEscapeKeyDown={(event) => {
            if (focus.ref.current?.querySelector(`[${OWN_ESCAPE}]`)) event.preventDefault();
          }}
          onKeyDownCapture={(event) => {
            // Radix keeps the focus inside, but the list beside the drawer must be reachable too.
            if (isBeside && event.key === 'Tab') event.stopPropagation();
          }}
        >
          <div className={styles.head}>
            <Radix.Title
              className={styles.title}
              data-long={
                title.length > (title.includes('@') ? LONG_ADDRESS : LONG_TITLE) || undefined
              }
            >
              <bdi>{title}</bdi>
            </Radix.Title>
            <Radix.Close className={styles.close} aria-label="Close">
              <CloseIcon />
            </Radix.Close>
          </div>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
