import { Fragment } from 'react';

/** An email address that wraps before the `@` if its line is too short. */
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
