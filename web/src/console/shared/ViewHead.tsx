import { useState } from 'react';
import type { ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { Button } from '../../ui/Button.tsx';
import { toasts } from '../../ui/toast-store.ts';
import { Dialog, DialogTitle } from '../../ui/Dialog.tsx';
import { useNarrow } from './use-media.ts';
import styles from './ViewHead.module.css';

type ViewHeadProps = {
  title: string;
  /** What the view covers, in words beside the title. */
  range?: ReactNode;
  /** Links to the usual choices, below the title. */
  presets?: ReactNode;
  /** The fields that choose anything else. */
  filters?: ReactNode;
  /** Buttons level with the fields. */
  actions?: ReactNode;
};

/** The head of every view: its title, what it covers, and how to choose that. On a phone the choices open as a sheet. */
export function ViewHead({ title, range, presets, filters, actions }: ViewHeadProps) {
  const isNarrow = useNarrow();
  // A choice is a new address, which closes the sheet.
  const { key: address } = useLocation();
  const [openAt, setOpenAt] = useState<string>();
  if (openAt !== undefined && openAt !== address) setOpenAt(undefined);
  const hasChoices = Boolean(presets) || Boolean(filters);
  return (
    <div className={styles.head}>
      <div className={styles.heading}>
        <h1 className={styles.title}>{title}</h1>
        {range !== undefined && <p className={styles.range}>{range}</p>}
        {!isNarrow && presets}
      </div>
      <div className={styles.controls}>
        {isNarrow
          ? hasChoices && (
              <>
                <Button
                  look="line"
                  aria-haspopup="dialog"
                  onClick={() => {
                    // They would cover its buttons.
                    toasts.dismiss();
                    setOpenAt(address);
                  }}
                >
                  Filters
                </Button>
                <Dialog
                  open={openAt === address}
                  onClose={() => setOpenAt(undefined)}
                  className={styles.sheet}
                >
                  <DialogTitle className={styles.sheetTitle}>Filters</DialogTitle>
                  {presets}
                  {filters}
                </Dialog>
              </>
            )
          : filters}
        {actions}
      </div>
    </div>
  );
}
