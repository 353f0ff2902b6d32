// The subscribe form, where a lead begins. Next: use-subscribe.ts posts it.
import type { SubscribeButton } from '@site/schema/lead';
import { buildFormValues, findFormFault, FORM_FIELD_NAMES, FORM_FIELDS } from '@site/schema/form-fields';
import type { FormValues } from '@site/schema/form-fields';
import { OFFER } from '@site/schema/offer';
import { useSyncExternalStore } from 'react';
import type { SubmitEvent } from 'react';
import { useForm, useFormState, useWatch } from 'react-hook-form';
import type { Control } from 'react-hook-form';
import { OfflineNote } from '../site/OfflineNote.tsx';
import { shownOffer } from '../site/shown-offer.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog, DialogTitle } from '../ui/Dialog.tsx';
import { TextField } from '../ui/Field.tsx';
import { NoBreak } from '../ui/NoBreak.tsx';
import { ConsentText } from './ConsentText.tsx';
import { suggestEmail } from './email-hint.ts';
import { NextSteps } from './NextSteps.tsx';
import { KEPT_OFFLINE, Reassurance, Refusal, SENT_SINCE, STILL_KEPT } from './Reassurance.tsx';
import { Honeypot } from './Honeypot.tsx';
import notice from './Reassurance.module.css';
import styles from './SubscribeDialog.module.css';
import { hasSavedLeads, onSavedLeadsChange } from './saved-leads.ts';
import type { SubscribeDraft } from './subscribe-draft.ts';
import { useSubscribe } from './use-subscribe.ts';

export type SubscribeDialogProps = {
  open: boolean;
  from: SubscribeButton;
  /** When it was first opened, by `performance.now()`. Undefined if it was restored from a draft. */
  openedAt: number | undefined;
  /** The form saved before a visit to Stripe. */
  draft: SubscribeDraft | null;
  opener: HTMLElement | null;
  onClose: () => void;
};

const REQUIRED = FORM_FIELD_NAMES.filter((field) => 'required' in FORM_FIELDS[field].input);
const OPTIONAL = FORM_FIELD_NAMES.filter((field) => !REQUIRED.includes(field));

/** The subscribe form. It stays mounted while closed, so that nothing typed is lost. */
export function SubscribeDialog({ open, from, openedAt, draft, opener, onClose }: SubscribeDialogProps) {
  const { isLaunch, price } = shownOffer();
  const { isPending, isRefused, setback, isKeptOffline, subscribe } = useSubscribe(draft !== null);
  const isSaved = useSyncExternalStore(onSavedLeadsChange, () => hasSavedLeads(new Date()));
  const form = useForm<FormValues>({
    mode: 'onBlur',
    defaultValues: buildFormValues((field) => draft?.values[field] ?? ''),
  });
  const { errors } = form.formState;

  function acceptEmail(email: string): void {
    form.setValue('email', email, { shouldDirty: true, shouldValidate: true });
    form.setFocus('email');
  }

  function send(event: SubmitEvent<HTMLFormElement>): void {
    const website = new FormData(event.currentTarget).get('website');
    const submit = form.handleSubmit(
      async (values) => {
        const sent = { from, values, website: typeof website === 'string' ? website : '', openedAt };
        const fault = await subscribe(sent);
        if (fault !== null) form.setError('email', { message: fault }, { shouldFocus: true });
      },
      // The form focuses the first invalid field. Browsers do not scroll to a field that already has the focus.
      () => document.activeElement?.scrollIntoView({ block: 'nearest' }),
    );
    void submit(event);
  }

  return (
    <Dialog
      open={open}
      onClose={onClose}
      // Nothing opened the form that a return from Stripe shows again.
      returnFocusTo={opener ?? document.querySelector<HTMLElement>('[aria-haspopup="dialog"]')}
      className={styles.dialog}
    >
      <div className={styles.head} ref={scrollBelow}>
        <DialogTitle className={styles.title}>Subscribe to {OFFER.productName}</DialogTitle>
      </div>
      <form className={styles.form} onSubmit={send} noValidate>
        <p className={styles.terms}>
          {price}/month{isLaunch && ', locked for life'}. <NoBreak>{`${OFFER.trialDays}-day`}</NoBreak> trial.
        </p>
        {REQUIRED.map((field) => {
          const fault = errors[field]?.message;
          const text =
            field === 'email' ? <EmailHint control={form.control} fault={fault} onAccept={acceptEmail} /> : fault;
          const { onBlur, ...control } = form.register(field, { validate: (value) => findFormFault(field, value) });
          return (
            <TextField
              key={field}
              {...control}
              // Who only passes through an empty field has made no mistake.
              onBlur={(event) => (event.target.value || fault ? void onBlur(event) : undefined)}
              {...FORM_FIELDS[field].input}
              error={fault && text}
              hint={!fault && text}
            />
          );
        })}
        <div className={styles.optional}>
          {OPTIONAL.map((field) => (
            <TextField key={field} {...form.register(field)} {...FORM_FIELDS[field].input} />
          ))}
        </div>
        <Honeypot />
        <div className={styles.end}>
          {isRefused && <Refusal />}
          {setback !== null && <Reassurance setback={setback} />}
          <OfflineNote
            className={notice.notice}
            kept={isKeptOffline ? KEPT_OFFLINE : null}
            back={isSaved ? STILL_KEPT : SENT_SINCE}
          />
          <ConsentText />
          <Button
            type="submit"
            className={styles.submit}
            pending={isPending}
            // Otherwise the field loses focus first, and its error message moves the button away before the click.
            onMouseDown={(event) => event.preventDefault()}
          >
            Continue to checkout
          </Button>
          {/* Screen readers announce the button's new label only if it has the focus. */}
          <output className="visually-hidden">{isPending && 'Please wait, the checkout is being opened.'}</output>
        </div>
      </form>
      <NextSteps level="h3" />
    </Dialog>
  );
}

type EmailHintProps = { control: Control<FormValues>; fault: string | undefined; onAccept: (email: string) => void };

/** Says what is wrong, and suggests the intended address once the field has been left, or the form sent. */
function EmailHint({ control, fault, onAccept }: EmailHintProps) {
  const email = useWatch({ control, name: 'email' });
  const { touchedFields, isSubmitted } = useFormState({ control, name: 'email' });
  const suggestion = touchedFields.email || isSubmitted ? suggestEmail(email) : null;
  if (!suggestion) return fault;
  return (
    <span>
      {fault && `${fault}. `}
      Did you mean{' '}
      <button type="button" className={styles.suggestion} onClick={() => onAccept(suggestion)}>
        {suggestion}
      </button>
      ?
    </span>
  );
}

/** Keeps fields that are scrolled into view, with their labels, below the head, whose title may take two lines. */
function scrollBelow(head: HTMLElement | null): (() => void) | undefined {
  const layer = head?.parentElement?.parentElement;
  if (!head || !layer || !('ResizeObserver' in window)) return undefined;
  const observer = new ResizeObserver(() => {
    layer.style.scrollPaddingTop = `calc(${head.offsetHeight}px + 2.5rem)`;
  });
  observer.observe(head);
  return () => observer.disconnect();
}
