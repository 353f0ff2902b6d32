import { formatPence } from '@site/schema/offer';
import { Sum } from '../../ui/Sum.tsx';
import { RESULTS } from './results-copy.ts';
import { Section } from './Section.tsx';
import styles from './Results.module.css';

/** Three examples, each as a sum: the price paid and the result. */
export function Results() {
  return (
    <Section margin={RESULTS.margin} heading={RESULTS.heading}>
      <ul className={styles.grid}>
        {RESULTS.items.map(({ name, text, terms, result }) => (
          <li key={name}>
            <h3>{name}</h3>
            <p className={styles.text}>{text}</p>
            <Sum
              terms={terms.map(({ label, pounds }) => ({
                label,
                value: formatPence(pounds * 100),
              }))}
              result={result}
            />
          </li>
        ))}
      </ul>
    </Section>
  );
}
