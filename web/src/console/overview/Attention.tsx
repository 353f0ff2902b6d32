import type { CallAnswer } from '@site/schema/calls/calls';
import { formatMoney } from '@site/schema/money';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import styles from '../shared/AttentionKind.module.css';
import { AttentionKind } from '../shared/AttentionKind.tsx';
import { formatCount } from '../shared/format.ts';
import { lineButton, Moment } from '../shared/fields.tsx';
import { SectionHead } from '../shared/heads.tsx';
import { MoneyReview } from '../person/Remedies.tsx';
import { StripeButton } from '../person/StripeLink.tsx';

type Item = CallAnswer<'GET /api/admin/attention'>['items'][number];
type AttentionProps = {
  title: string;
  items: readonly Item[];
  count: number;
  reload: () => Promise<unknown>;
  children?: ReactNode;
};

/** Lists what needs attention, each with what to do about it. */
export function Attention({ title, items, count, reload, children }: AttentionProps) {
  const toRow = ({ id, name, email, text, since, amount, ...item }: Item) => ({
    key: id,
    who: (name ?? email) && <bdi>{name ?? email}</bdi>,
    detail: name !== null && email !== null && <bdi>{email}</bdi>,
    why: text,
    more: since && (
      <>
        Since <Moment at={since} />.
      </>
    ),
    amount: amount ? formatMoney(amount.pence, amount.currency) : '',
    act: (
      <>
        <Opener {...item} />
        {item.other && <Opener {...item.other} />}
        {item.review && <MoneyReview {...item.review} name={name ?? id} onReviewed={reload} />}
      </>
    ),
  });
  return (
    <section className={styles.kinds} aria-label={title}>
      <SectionHead title={title} aside={count > 0 && formatCount(count)} />
      {[...new Set(items.map(({ title }) => title))].map((title) => {
        const alike = items.filter((item) => item.title === title);
        return (
          <AttentionKind
            key={title}
            title={title}
            tone={alike[0]?.tone ?? 'none'}
            items={alike.map(toRow)}
          />
        );
      })}
      {count > items.length && <p>And {formatCount(count - items.length)} more.</p>}
      {children}
    </section>
  );
}

/** Opens a part of the console, or Stripe if only Stripe can help. */
function Opener({ href, action }: Pick<Item, 'href' | 'action'>) {
  if (href === null) return null;
  if (!href.startsWith('/')) return <StripeButton to={href}>{action}</StripeButton>;
  return (
    <Link className={lineButton} to={href}>
      {action}
    </Link>
  );
}
