import { Fragment } from 'react';

/** An email address that wraps before the `@`, or before another character of `before`, if its line is too short. */
export function EmailText({ children, before = '@' }: { children: string; before?: string }) {
  return (
    <bdi>
      {children.split(new RegExp(`(?=[${before}])`)).map((part, index) => (
        <Fragment key={part + String(index)}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </bdi>
  );
}
