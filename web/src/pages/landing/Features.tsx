import { TickIcon } from '../../ui/icons.tsx';
import sheet from '../../ui/Sheet.module.css';
import { FEATURES } from './copy.ts';
import type { Feature } from './copy.ts';
import { Section } from './Section.tsx';
import styles from './Features.module.css';

/** The six parts of an issue, each with a three-line sample. */
export function Features() {
  return (
    <Section id="features" margin={FEATURES.margin} heading={FEATURES.heading} ruled={false}>
      <ul className={styles.grid}>
        {FEATURES.items.map((feature) => (
          <li key={feature.name} className={styles.feature}>
            <h3>{feature.name}</h3>
            <p className={styles.text}>{feature.text}</p>
            <Specimen lines={feature.specimen} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Specimen({ lines }: { lines: Feature['specimen'] }) {
  return (
    <ul className={`${sheet.sheet} ${styles.specimen}`}>
      {lines.map(({ text, ticked, figure }) => (
        <li key={text}>
          {/* A line of CSV may break after each comma. */}
          <span>{text.replaceAll(/,(?=\S)/g, ',\u200B')}</span>
          {ticked && (
            <span>
              <TickIcon /> {ticked}
            </span>
          )}
          {figure !== undefined && <span>{figure}</span>}
        </li>
      ))}
    </ul>
  );
}
