import { Fragment } from 'react';
import type { ReactNode } from 'react';

/** Characters that have room on every line. */
const SHORT = 22;

type EmailTextProps = {
  children: string;
  before?: string;
  /** Shows a part, which begins at a character of the address. */
  show?: (part: string, from: number) => ReactNode;
};

/** An email address that wraps before the `@`, or before another character of `before`, if its line is too short, and a long part before a dot. */
export function EmailText({ children, before = '@', show = (part) => part }: EmailTextProps) {
  const parts = children
    .split(new RegExp(`(?=[${before}])`))
    .flatMap((part) =>
      before !== '' && part.length > SHORT && !part.includes(' ') ? part.split(/(?=\.)/) : part,
    );
  return (
    <bdi>
      {parts.map((part, index) => {
        const shown = show(part, parts.slice(0, index).join('').length);
        return (
          <Fragment key={part + String(index)}>
            {index > 0 && <wbr />}
            {/* An address is not hyphenated, unless a part has no room on a line. */}
            {part.length <= SHORT && part.includes('-') ? (
              <span className="nowrap">{shown}</span>
            ) : (
              shown
            )}
          </Fragment>
        );
      })}
    </bdi>
  );
}
