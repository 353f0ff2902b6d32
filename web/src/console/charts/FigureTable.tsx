import { DataTable } from '../elements/DataTable.tsx';
import { formatCount } from '../elements/format-count.ts';

type FigureTableProps = { caption: string; heads: string[]; rows: (string | number)[][] };

/** A chart's figures as a table, on request. Absent without any. */
export function FigureTable({ caption, heads, rows }: FigureTableProps) {
  if (rows.length === 0) return null;
  return (
    <details>
      <summary>{caption}</summary>
      <DataTable name={caption} heads={heads} numbersFrom={1}>
        {rows.map(([head, ...figures], row) => (
          // A source may have the name of the sum of all others.
          <tr key={`${head} ${row}`}>
            <th scope="row">{head}</th>
            {figures.map((figure, index) => (
              <td key={heads[index + 1]} data-figure>
                {typeof figure === 'number' ? formatCount(figure) : figure}
              </td>
            ))}
          </tr>
        ))}
      </DataTable>
    </details>
  );
}
