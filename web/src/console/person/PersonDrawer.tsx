import { Dialog as Radix } from 'radix-ui';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { findHeading } from '../shared/find-heading.ts';
import { CloseIcon } from '../../ui/icons.tsx';
import { toPerson, useOpenLead } from '../navigation.ts';
import { toRowId } from '../shared/focus.ts';
import { Loading } from '../shared/LoadState.tsx';
import { useMedia } from '../shared/use-media.ts';
import styles from './Person.module.css';

const PersonPanel = lazy(async () => ({
  default: (await import('./PersonPanel.tsx')).PersonPanel,
}));

/**
 * Renders the person of the lead in the URL, beside the list if both fit. `ids` are the list's
 * leads, in order.
 */
export function PersonDrawer({ ids = [] }: { ids?: readonly string[] }) {
  const { openId, closeLead, linkTo } = useOpenLead();
  const isBeside = useMedia('(min-width: 80em)');
  const content = useRef<HTMLDivElement>(null);
  const opener = useRef<Element>(null);
  const last = useRef<string>(undefined);
  useEffect(() => {
    if (openId !== undefined) last.current = openId;
    // Another lead appears in an open panel.
    if (content.current && !content.current.contains(document.activeElement))
      content.current.focus();
  }, [openId]);
  const at = openId === undefined ? -1 : ids.indexOf(openId);
  const [beside, setBeside] = useState([ids[at - 1], ids[at + 1]]);
  // A corrected lead leaves the list of failed leads. Its neighbours remain reachable.
  if (at >= 0 && (beside[0] !== ids[at - 1] || beside[1] !== ids[at + 1]))
    setBeside([ids[at - 1], ids[at + 1]]);
  const steps = [
    ['Previous', beside[0]],
    ['Next', beside[1]],
  ] as const;
  return (
    <Radix.Root
      open={openId !== undefined}
      modal={!isBeside}
      onOpenChange={(isOpen) => {
        if (!isOpen) closeLead();
      }}
    >
      <Radix.Portal>
        {!isBeside && <div className={styles.scrim} />}
        <Radix.Content
          ref={content}
          className={styles.drawer}
          aria-describedby={undefined}
          data-beside-list=""
          onOpenAutoFocus={(event) => {
            // Otherwise the close button would get the focus, and a held Enter key would press it.
            event.preventDefault();
            opener.current = document.activeElement;
            content.current?.focus();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            const row = document.getElementById(toRowId(last.current ?? ''));
            const from = opener.current;
            const target = from?.closest('tr') === row && from?.isConnected ? from : (row ?? from);
            if (target instanceof HTMLElement && target.isConnected)
              target.focus({ preventScroll: true });
            // Another view has replaced the list.
            else setTimeout(() => findHeading()?.focus());
          }}
          onInteractOutside={(event) => {
            if (isBeside) event.preventDefault();
          }}
          onKeyDownCapture={(event) => {
            // Radix traps the focus inside, but the list beside the panel must be reachable too.
            if (isBeside && event.key === 'Tab') event.stopPropagation();
          }}
        >
          {openId !== undefined && (
            <Suspense fallback={<Opening />}>
              <PersonPanel key={openId} id={openId} linkTo={linkTo} Title={Radix.Title}>
                <nav aria-label="Lead">
                  {steps.map(
                    ([label, id]) =>
                      id !== undefined &&
                      ids.includes(id) && (
                        <Link key={label} to={{ search: linkTo(id) }} replace>
                          {label}
                        </Link>
                      ),
                  )}
                  <Link to={{ search: toPerson(openId) }}>Open page</Link>
                  <Radix.Close className={styles.close} aria-label="Close">
                    <CloseIcon />
                  </Radix.Close>
                </nav>
              </PersonPanel>
            </Suspense>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

function Opening() {
  return (
    <>
      <Radix.Title className={styles.name}>Person</Radix.Title>
      <Loading of="person" />
    </>
  );
}
