/** Text in which `30-day`, `5-8` and their like never part at the hyphen. */
export function NoBreak({ children }: { children: string }) {
  return children.split(/(\d+-(?:day|\d+))/).map((part, index) =>
    index % 2 === 1 ? (
      <span key={part + String(index)} className="nowrap">
        {part}
      </span>
    ) : (
      part
    ),
  );
}
