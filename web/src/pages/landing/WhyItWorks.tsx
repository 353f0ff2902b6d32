import { WHY } from './copy.ts';
import { Section } from './Section.tsx';
import styles from './WhyItWorks.module.css';

/** The steps' positions on the line, in percent of its width. */
const STEPS_AT = [0.75, 18.25, 42.75, 86.3];
const [, , headStartFrom = 0, headStartTo = 0] = STEPS_AT;

/** A timeline of how long subscribers have a lead to themselves, then three reasons. */
export function WhyItWorks() {
  return (
    <Section margin={WHY.margin} heading={WHY.heading}>
      <div className={styles.both}>
        <div className={styles.line}>
          <svg className={styles.track} width="100%" height="16" aria-hidden="true">
            <line x2="100%" y1="8" y2="8" />
            <rect
              x={`${headStartFrom}%`}
              width={`${headStartTo - headStartFrom}%`}
              y="1"
              height="14"
              className={styles.headStart}
            />
            {STEPS_AT.map((at) => (
              <circle
                key={at}
                cx={`${at}%`}
                cy="8"
                r="5.5"
                className={at === headStartFrom ? styles.now : styles.stop}
              />
            ))}
          </svg>
          <ol className={styles.steps}>
            {WHY.steps.map(({ when, what }, index) => (
              <li key={when}>
                <strong>{when}</strong>
                <span>{what}</span>
                {STEPS_AT[index] === headStartFrom && (
                  <p className={styles.label}>{WHY.headStart}</p>
                )}
              </li>
            ))}
          </ol>
        </div>
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
