import { TextField } from '../../ui/Field.tsx';

type EmailFieldProps = {
  label: string;
  value: string;
  error: string | undefined;
  onChange: (email: string) => void;
};

/** A field for somebody else's address, which the browser neither completes nor corrects. */
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
