/** Renders a text whose lengths of time, such as "30-day", do not break at their hyphen. */
export function Unbroken({ text }: { text: string }) {
  return text.split(/(\d+-day)/u).map((part, n) =>
    n % 2 === 0 ? (
      part
    ) : (
      <span key={n} className="nowrap">
        {part}
      </span>
    ),
  );
}
