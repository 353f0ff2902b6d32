import { WHY } from './copy.ts';
import { Section } from './Section.tsx';
import styles from './WhyItWorks.module.css';

/** The step that begins the head start. */
const HEAD_START = 2;

/** Renders a timeline of the subscribers' head start, then three reasons. */
export function WhyItWorks() {
  return (
    <Section margin={WHY.margin} heading={WHY.heading}>
      <div className={styles.both}>
        <ol className={styles.steps}>
          {WHY.steps.map(({ when, what }, index) => (
            <li key={when}>
              <strong>{when}</strong>
              <span>{what}</span>
              {index === HEAD_START && <p className={styles.label}>{WHY.headStart}</p>}
            </li>
          ))}
        </ol>
        <ul className={styles.points}>
          {WHY.points.map(({ name, text }) => (
            <li key={name}>
              <h3>{name}</h3>
              <p>{text}</p>
            </li>
          ))}
        </ul>
      </div>
    </Section>
  );
}
