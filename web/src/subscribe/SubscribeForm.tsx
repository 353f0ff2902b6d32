// The subscribe form, where a lead begins. Next: use-subscribe.ts posts it.
import type { SubscribeButton } from '@site/schema/lead';
import { findFormFault, FORM_FIELD_NAMES, FORM_FIELDS } from '@site/schema/form-fields';
import type { FormField, FormValues } from '@site/schema/form-fields';
import { OFFER } from '@site/schema/offer';
import type { PlainAnswer } from '@site/schema/page-render';
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import type { ReactNode, SubmitEvent } from 'react';
import { useForm, useFormState, useWatch } from 'react-hook-form';
import type { UseFormReturn } from 'react-hook-form';
import { OfflineNote } from '../site/OfflineNote.tsx';
import { noteButton, SETTLED_MS, showWithButton } from '../site/show-focused.ts';
import { shownOffer } from '../site/shown-offer.ts';
import { Button } from '../ui/Button.tsx';
import { classNames } from '../ui/class-names.ts';
import { TextField } from '../ui/Field.tsx';
import { swallowSecondPress } from '../ui/second-press.ts';
import { ConsentText } from './ConsentText.tsx';
import { suggestEmail } from './email-hint.ts';
import { Honeypot } from './Honeypot.tsx';
import { byNow, describeOffline, describeOnline, Reassurance } from './Reassurance.tsx';
import type { Setback } from './Reassurance.tsx';
import reassurance from './Reassurance.module.css';
import { hasSavedLeads, onSavedLeadsChange } from './saved-leads.ts';
import { saveDraft } from './subscribe-draft.ts';
import styles from './SubscribeForm.module.css';
import { useSubscribe } from './use-subscribe.ts';

type SubscribeFormProps = {
  from: SubscribeButton;
  /** When it was first opened, by `performance.now()`. Undefined if that is not known. */
  openedAt: number | undefined;
  state: ReturnType<typeof useSubscribeForm>;
  /** The server's faults, until the form in the browser shows them. */
  found?: Pick<PlainAnswer, 'faults' | 'email'> | undefined;
  className: string | undefined;
  /** What a plain form sends with the fields. */
  hidden?: ReactNode;
  /** What the server says of the last press. */
  notice?: ReactNode;
  children?: ReactNode;
};

const REQUIRED = FORM_FIELD_NAMES.filter((field) => 'required' in FORM_FIELDS[field].input);
const OPTIONAL = FORM_FIELD_NAMES.filter((field) => !REQUIRED.includes(field));

/**
 * Holds what is typed and what became of it, also while the dialog is closed. `first` is undefined for fields that are in
 * the page already, with what was typed before the scripts came. `before`: why they are at the form again. `isOpen`: of
 * the dialog alone.
 */
export function useSubscribeForm(
  first: FormValues | undefined,
  before: Setback | null,
  isOpen?: boolean,
) {
  const form = useForm<FormValues>({
    mode: 'onBlur',
    reValidateMode: 'onBlur',
    ...(first && { defaultValues: first }),
  });
  return { first, form, ...useSubscribe(before, isOpen) };
}

/** The subscribe form, in the dialog and on a page of its own, where it also works without scripts. */
export function SubscribeForm(props: SubscribeFormProps) {
  const { from, openedAt, state, found, className, hidden, notice, children } = props;
  const { first, form, isPending, told } = state;
  const isSaved = useSyncExternalStore(
    onSavedLeadsChange,
    () => hasSavedLeads(new Date()),
    () => false,
  );
  const { errors } = form.formState;
  const setback = byNow(told.setback, isSaved);
  const offline = byNow(told.offline, isSaved);

  const keep = useEffectEvent(() => {
    const values = form.getValues();
    const isTyped = Object.values(values).some(Boolean);
    if (isTyped) saveDraft({ from, values, scrollY: window.scrollY });
  });
  // So that the form is there after Stripe, after a reload, and on another page of the site.
  useEffect(() => {
    const listen = () => keep();
    window.addEventListener('pagehide', listen);
    return () => {
      keep();
      window.removeEventListener('pagehide', listen);
    };
  }, []);

  function acceptEmail(email: string): void {
    form.setValue('email', email, { shouldDirty: true, shouldValidate: true });
    form.setFocus('email');
  }

  function send(event: SubmitEvent<HTMLFormElement>): void {
    const sender = event.currentTarget;
    const website = new FormData(sender).get('website');
    const submit = form.handleSubmit(
      async (values) => {
        const sent = {
          from,
          values,
          website: typeof website === 'string' ? website : '',
          openedAt,
        };
        const fault = await state.subscribe(sent);
        if (fault !== null) form.setError('email', { message: fault }, { shouldFocus: true });
      },
      () => {
        state.forgetReturn();
        // The errors may move the consent's links under the pointer.
        for (const link of sender.querySelectorAll('a')) swallowSecondPress(link);
        // The form focuses the first invalid field, and browsers do not scroll to one that has the focus already.
        setTimeout(() => showWithButton(document.activeElement), SETTLED_MS);
      },
    );
    void submit(event);
  }

  const fieldOf = (field: FormField) => {
    const fault = errors[field]?.message ?? found?.faults[field];
    const hint =
      field === 'email' ? (
        <EmailHint
          form={form}
          fault={fault}
          sent={found?.email}
          isPending={isPending}
          onAccept={acceptEmail}
        />
      ) : (
        fault
      );
    const { onBlur, onChange, ...control } = form.register(field, {
      validate: (value) => findFormFault(field, value),
    });
    return (
      <TextField
        key={field}
        {...control}
        readOnly={isPending}
        {...(first && { defaultValue: first[field] })}
        // A mistake goes once it is corrected. On leaving the field, its suggestion would be replaced as it gets the focus.
        onChange={(event) => {
          void onChange(event);
          if (field === 'email') state.forgetRefusal();
          if (errors[field] && findFormFault(field, event.target.value) === undefined)
            form.clearErrors(field);
        }}
        // Who only passes through an empty field has made no mistake.
        // Nor has who goes to the suggestion, which would be another button below a fault.
        onBlur={(event) => {
          const isWithin = event.currentTarget.closest('div')?.contains(event.relatedTarget);
          if ((event.target.value || fault) && !isWithin) void onBlur(event);
        }}
        {...FORM_FIELDS[field].input}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the page is the answer to a form with a mistake
        autoFocus={found && field === FORM_FIELD_NAMES.find((name) => found.faults[name])}
        error={fault && hint}
        hint={!fault && hint}
      />
    );
  };

  return (
    <form
      method="post"
      action="/subscribe"
      className={classNames(styles.form, className)}
      onSubmit={send}
      // Says more about a mistake than the browser does.
      noValidate
    >
      {children}
      {REQUIRED.map(fieldOf)}
      <div className={styles.optional}>{OPTIONAL.map(fieldOf)}</div>
      <Honeypot />
      {hidden}
      <div className={styles.end} data-again={isPending || undefined}>
        <ConsentText />
        {notice}
        {setback !== null && (
          <Reassurance
            key={told.answers}
            setback={setback}
            isAgain={told.isAgain}
            isAnswer={told.answers > 0}
          />
        )}
        <OfflineNote
          className={classNames(
            reassurance.notice,
            told.answers === 0 && setback === null && reassurance.below,
          )}
          answered={told.answers}
          offline={describeOffline(offline ?? setback, told.isAgain)}
          online={offline && describeOnline(offline)}
          onChange={state.beginConnection}
        />
        <Button
          type="submit"
          className={styles.submit}
          look={setback === 'subscriber' ? 'line' : 'solid'}
          pending={isPending}
          // Otherwise the field loses focus first, and its error message moves the button away before the click.
          onMouseDown={(event) => {
            event.preventDefault();
            noteButton(event.currentTarget);
          }}
          // A press by pointer leaves the field. Enter in it does not, and holds nothing.
          onClick={({ detail, currentTarget }) =>
            detail > 0 ? currentTarget.focus({ preventScroll: true }) : noteButton(null)
          }
        >
          Continue to checkout
        </Button>
        {/* Screen readers announce the button's new label only if it has the focus. */}
        <output className="visually-hidden">
          {isPending && 'Please wait, the checkout is being opened.'}
        </output>
      </div>
    </form>
  );
}

/** What it costs, in a line. */
export function Terms() {
  const { isLaunch, price } = shownOffer();
  return (
    <>
      {price}/month{isLaunch && ', locked for life'}. {OFFER.trialDays}-day trial.
    </>
  );
}

type EmailHintProps = {
  form: UseFormReturn<FormValues>;
  fault: string | undefined;
  /** The email as posted, while no script makes its suggestion a button. */
  sent: string | undefined;
  isPending: boolean;
  onAccept: (email: string) => void;
};

/** Says what is wrong, and suggests the intended address once the field has been left, or the form sent. */
function EmailHint({
  form: { control, getValues },
  fault,
  sent,
  isPending,
  onAccept,
}: EmailHintProps) {
  const watched = useWatch({ control, name: 'email' }) as string | undefined;
  const email = sent ?? watched ?? (getValues('email') as string | undefined) ?? '';
  const { touchedFields, isSubmitted } = useFormState({ control, name: 'email' });
  const suggestion = fault || touchedFields.email || isSubmitted ? suggestEmail(email) : null;
  if (!suggestion) return fault;
  return (
    // While the form is sent, it keeps its room, so that the button stays where it was pressed.
    <span className={isPending ? styles.pending : undefined}>
      {/* Of what is in the field by now. */}
      {fault && `${findFormFault('email', email) ?? fault}. `}
      Did you mean{' '}
      {sent === undefined ? (
        <button
          type="button"
          aria-label={suggestion}
          className={`in-text ${styles.suggestion}`}
          // Where buttons take no focus, as in Safari, leaving the field would hide it before the click.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onAccept(suggestion)}
        >
          <bdi>{suggestion}</bdi>
          {/* Within, so that it follows an address of two lines. */}
          <span className={styles.mark}>?</span>
        </button>
      ) : (
        <>
          <bdi>{suggestion}</bdi>?
        </>
      )}
    </span>
  );
}
