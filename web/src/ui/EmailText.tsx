import { Fragment } from 'react';

/** Characters that have room on every line. */
const SHORT = 20;

/** An email address that wraps before the `@`, or before another character of `before`, if its line is too short. */
export function EmailText({ children, before = '@' }: { children: string; before?: string }) {
  return (
    <bdi>
      {children.split(new RegExp(`(?=[${before}])`)).map((part, index) => (
        <Fragment key={part + String(index)}>
          {index > 0 && <wbr />}
          {/* An address is not hyphenated, unless a part has no room on a line. */}
          {part.length <= SHORT && part.includes('-') ? <span className="nowrap">{part}</span> : part}
        </Fragment>
      ))}
    </bdi>
  );
}
