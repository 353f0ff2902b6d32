import type { ComponentProps, ReactNode } from 'react';
import buttons from '../../ui/Button.module.css';
import { classNames } from '../../ui/class-names.ts';
import { TextField } from '../../ui/Field.tsx';
import { toasts } from '../../ui/toast-store.ts';
import { ChevronIcon } from './console-icons.tsx';
import { formatFully, formatMoment } from './format.ts';
import keyStyles from './Key.module.css';
import selectStyles from './Select.module.css';
import { useNow } from './use-now.ts';

/** The classes of a link that looks like the buttons beside it. */
export const lineButton = classNames(buttons.button, buttons.line, buttons.small);

/** Renders a button that looks like a link, for use in a line of text. */
export function LinkButton({ className, ...rest }: ComponentProps<'button'>) {
  return <button type="button" {...rest} className={classNames('link in-text', className)} />;
}

/** Renders a list to choose from, with the console's arrow. */
export function Select(props: ComponentProps<'select'>) {
  return (
    <span className={selectStyles.select}>
      <select {...props} />
      <ChevronIcon />
    </span>
  );
}

type EmailFieldProps = {
  label: string;
  value: string;
  error: string | undefined;
  hint?: ReactNode;
  onChange: (email: string) => void;
};

/** Renders a field for somebody else's email, which the browser neither completes nor corrects. */
export function EmailField({ onChange, ...field }: EmailFieldProps) {
  return (
    <TextField
      type="email"
      inputMode="email"
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => onChange(event.target.value)}
      {...field}
    />
  );
}

/** Renders a time in a few words, with the full time in the tooltip. */
export function Moment({ at }: { at: string }) {
  const now = useNow(false);
  const moment = new Date(at);
  return (
    <time className="nowrap" dateTime={at} title={formatFully(moment)}>
      {formatMoment(moment, now)}
    </time>
  );
}

export function Key(props: ComponentProps<'kbd'>) {
  return <kbd {...props} className={keyStyles.key} />;
}

/**
 * Copies a text, or a text that is still loading, to the clipboard, and shows the result in a
 * toast. Throws the failure of the loading. Call it during the press, because Safari refuses later
 * calls.
 */
export async function copyText(source: string | Promise<string>, description: string) {
  try {
    await (typeof source === 'string'
      ? navigator.clipboard.writeText(source)
      : navigator.clipboard.write([new ClipboardItem({ 'text/plain': toBlob(source) })]));
    toasts.add({ title: 'Copied', description });
  } catch (error) {
    const text = await source;
    console.error('The text could not be copied', error);
    window.prompt('The browser did not allow copying. Copy it from here:', text);
  }
}

const toBlob = async (text: Promise<string>) => new Blob([await text], { type: 'text/plain' });
