import type { CallAnswer } from '@site/schema/calls/calls';
import { formatMoney } from '@site/schema/money';
import { Link } from 'react-router-dom';
import styles from '../shared/AttentionKind.module.css';
import { AttentionKind } from '../shared/AttentionKind.tsx';
import { formatCount } from '../shared/format.ts';
import { lineButton, Moment } from '../shared/fields.tsx';
import { LoadState } from '../shared/LoadState.tsx';
import { SectionHead } from '../shared/heads.tsx';
import { MoneyReview } from '../person/Remedies.tsx';
import { StripeButton } from '../person/StripeLink.tsx';

type Answer = CallAnswer<'GET /api/admin/attention'>;
type Item = Answer['items'][number];
type AttentionProps = {
  data: Answer | undefined;
  failure: unknown;
  reload: () => Promise<unknown>;
};

/** Lists failures and decisions, each with its one remedy. */
export function Attention({ data, failure, reload }: AttentionProps) {
  const { items = [], count = 0 } = data ?? {};
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
    <section className={styles.kinds} aria-label="Needs attention">
      <SectionHead title="Needs attention" aside={count > 0 && formatCount(count)} />
      <LoadState of="what needs attention" data={data} failure={failure} reload={reload} />
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
      {data && count === 0 && <p className={styles.calm}>Nothing needs attention.</p>}
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
