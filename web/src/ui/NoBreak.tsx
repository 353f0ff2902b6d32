import { EmailText } from './EmailText.tsx';
import { UNBROKEN } from './unbroken.ts';

/** Text in which `30-day`, `4 December` and similar never break across lines, and an address before its `@`. */
export function NoBreak({ children }: { children: string }) {
  return children.split(UNBROKEN).map((part, index) =>
    index % 2 === 1 ? (
      <span key={part + String(index)} className="nowrap">
        {part}
      </span>
    ) : part.includes('@') ? (
      <EmailText key={part + String(index)}>{part}</EmailText>
    ) : (
      part
    ),
  );
}
