// The subscribe form, where a lead begins. Next: use-subscribe.ts posts it.
import type { SubscribeButton } from '@site/schema/lead';
import { findFormError, FORM_FIELD_NAMES } from '@site/schema/form-fields';
import type { FormField, FormValues } from '@site/schema/form-fields';
import { useEffect, useRef, useState } from 'react';
import type { ReactNode, SubmitEvent } from 'react';
import { useOnline } from '../site/use-online.ts';
import { Button } from '../ui/Button.tsx';
import { classNames } from '../ui/class-names.ts';
import { ConsentText } from './ConsentText.tsx';
import { suggestEmail } from './email-hint.ts';
import type { Setback } from './Notice.tsx';
import { SetbackNotice, writeOffline } from './Notice.tsx';
import notice from './Notice.module.css';
import { SubscribeFields } from './SubscribeFields.tsx';
import styles from './SubscribeForm.module.css';
import { useSubscribe } from './use-subscribe.ts';

type FormErrors = Partial<FormValues>;

/** Holds the typed values and the result, even while the dialog is closed. */
export function useSubscribeForm(first: FormValues, before: Setback | null, isOpen: boolean) {
  const [values, setValues] = useState(first);
  const [errors, setErrors] = useState<FormErrors>({});
  const [meant, setMeant] = useState<string | null>(null);

  function change(field: FormField, value: string): void {
    setValues((now) => ({ ...now, [field]: value }));
    // An error disappears once it is corrected.
    if (findFormError(field, value) === undefined)
      setErrors((now) => ({ ...now, [field]: undefined }));
    if (field === 'email') setMeant(null);
  }

  function check(field: FormField, value: string): void {
    setErrors((now) => ({ ...now, [field]: findFormError(field, value) }));
    if (field === 'email') setMeant(suggestEmail(value));
  }

  /** Checks every field. Returns the first with an error. */
  function checkAll(): FormField | undefined {
    for (const field of FORM_FIELD_NAMES) check(field, values[field]);
    return FORM_FIELD_NAMES.find((field) => findFormError(field, values[field]));
  }

  const refuse = (field: FormField, error: string) => setErrors({ [field]: error });
  const sending = useSubscribe(before, isOpen);
  return { values, errors, meant, change, check, checkAll, refuse, ...sending };
}

type SubscribeFormProps = {
  from: SubscribeButton;
  /** The first opening, by `performance.now()`. Undefined if the form was filled in before. */
  openedAt: number | undefined;
  state: ReturnType<typeof useSubscribeForm>;
  className: string | undefined;
  children?: ReactNode;
};

export function SubscribeForm({ from, openedAt, state, className, children }: SubscribeFormProps) {
  const { values, errors, meant, isPending, answer } = state;
  const form = useRef<HTMLFormElement>(null);
  const message = useRef<HTMLDivElement>(null);
  const isOnline = useOnline();

  useEffect(() => {
    if (answer.count === 0) return;
    message.current?.focus({ preventScroll: true });
    for (const part of [form.current?.elements.namedItem('send'), message.current])
      if (part instanceof HTMLElement) part.scrollIntoView({ block: 'nearest' });
  }, [answer.count]);

  function focusField(field: FormField): void {
    const input = form.current?.elements.namedItem(field);
    if (!(input instanceof HTMLElement)) return;
    input.focus();
    // Browsers do not scroll to a field that already has the focus.
    input.scrollIntoView({ block: 'nearest' });
  }

  async function send(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const invalid = state.checkAll();
    if (invalid) return focusField(invalid);
    const website = new FormData(event.currentTarget).get('website');
    const error = await state.subscribe({
      from,
      values,
      website: typeof website === 'string' ? website : '',
      openedAt,
    });
    if (error === null) return;
    state.refuse('email', error);
    focusField('email');
  }

  function acceptEmail(email: string): void {
    state.change('email', email);
    focusField('email');
  }

  return (
    <form
      ref={form}
      className={classNames(styles.form, className)}
      onSubmit={(event) => void send(event)}
      // Our messages explain more than the browser's.
      noValidate
    >
      {children}
      <SubscribeFields
        errors={errors}
        meant={
          meant && (
            <button type="button" className="link in-text" onClick={() => acceptEmail(meant)}>
              <bdi>{meant}</bdi>
            </button>
          )
        }
        inputOf={(field) => ({
          value: values[field],
          readOnly: isPending,
          onChange: ({ target }) => state.change(field, target.value),
          // An empty field is not validated on blur.
          onBlur: ({ target }) => {
            if (target.value) state.check(field, target.value);
          },
        })}
      />
      <div className={styles.end}>
        <ConsentText />
        <div ref={message} aria-live="polite" tabIndex={-1} className={styles.message}>
          {!isOnline ? (
            <p className={notice.notice}>{writeOffline(answer.setback)}</p>
          ) : answer.wasOffline ? (
            <p className={notice.notice}>You are back online. Continue to checkout.</p>
          ) : (
            answer.setback && <SetbackNotice setback={answer.setback} />
          )}
        </div>
        <Button
          type="submit"
          name="send"
          pending={isPending}
          // Otherwise the field loses focus first, and its error moves the button away before the
          // click.
          onMouseDown={(event) => event.preventDefault()}
          onClick={({ currentTarget }) => currentTarget.focus({ preventScroll: true })}
        >
          Continue to checkout
        </Button>
        {/* Screen readers announce the button's new label only while it has the focus. */}
        <output className="visually-hidden">
          {isPending && 'Please wait, the checkout is being opened.'}
        </output>
      </div>
    </form>
  );
}
