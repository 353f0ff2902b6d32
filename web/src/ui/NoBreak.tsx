import { UNBROKEN } from './unbroken.ts';

/** Text in which `30-day`, `4 December` and their like never part at the end of a line. */
export function NoBreak({ children }: { children: string }) {
  return children.split(UNBROKEN).map((part, index) =>
    index % 2 === 1 ? (
      <span key={part + String(index)} className="nowrap">
        {part}
      </span>
    ) : (
      part
    ),
  );
}
