import { REVIEWS } from './copy.ts';
import { Section } from './Section.tsx';
import styles from './Reviews.module.css';

/** Two subscribers, in their own words. */
export function Reviews() {
  return (
    <Section id="reviews" margin={REVIEWS.margin}>
      <ul className={styles.grid}>
        {REVIEWS.items.map(({ quote, name, who }) => (
          <li key={name}>
            <figure>
              <blockquote className={styles.quote}>“{quote}”</blockquote>
              <figcaption>
                <strong>{name}</strong>
                <span className="note">{who}</span>
              </figcaption>
            </figure>
          </li>
        ))}
      </ul>
    </Section>
  );
}
