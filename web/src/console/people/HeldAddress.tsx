import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { EraseDialog } from './EraseDialog.tsx';
import { ExportDialog } from './ExportDialog.tsx';
import styles from './PersonView.module.css';

/** Exports or erases what is held of an address without a lead, which may only be at Beehiiv. */
export function HeldAddress({ email }: { email: string }) {
  const [open, setOpen] = useState<'export' | 'erase'>();
  const dialog = { email, onClose: () => setOpen(undefined) };
  return (
    <div className={styles.held}>
      <Button look="line" onClick={() => setOpen('export')}>
        Export…
      </Button>
      <Button look="line" onClick={() => setOpen('erase')}>
        Erase…
      </Button>
      {open === 'export' && <ExportDialog {...dialog} name={email} />}
      {open === 'erase' && <EraseDialog {...dialog} />}
    </div>
  );
}
