import { Fragment } from 'react';

/** An address as text: where its line is too short for it, it parts before the `@` rather than within a word. */
export function EmailText({ children }: { children: string }) {
  const [first, ...rest] = children.split('@');
  return (
    <bdi>
      {first}
      {rest.map((part, index) => (
        <Fragment key={part + String(index)}>
          <wbr />@{part}
        </Fragment>
      ))}
    </bdi>
  );
}
