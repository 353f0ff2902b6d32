import type { ReactNode } from 'react';

/** A name and its value, in a list of facts. */
export function Fact({
  name,
  title,
  children,
}: {
  name: string;
  title?: string;
  children: ReactNode;
}) {
  return (
    <div>
      <dt>{name}</dt>
      <dd title={title}>{children}</dd>
    </div>
  );
}
