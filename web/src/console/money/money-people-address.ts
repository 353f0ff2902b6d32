import { moneyPeopleQuery } from '@site/schema/calls/money-figures';
import type { MoneyFiguresAnswer, MoneyPeople, MoneyPeriod, MoneySource } from '@site/schema/calls/money-figures';
import { useSearchParams } from 'react-router-dom';
import { toSearch } from '../filters/filter-params.ts';

type Revenue = MoneyFiguresAnswer['revenue'][number];

/** Writes the query of the list of those whom a figure or a stage is about, of any source or of one. */
export function toPeople(of: MoneyPeople, period: MoneyPeriod, source: MoneySource = {}): string {
  return `${toSearch(period, 'money')}&${toPeoplePart({ of, ...source })}`;
}

/** Writes the part of that query that is no period. */
export function toPeoplePart({ of, ...source }: ShownPeople): string {
  const params = new URLSearchParams({ people: of });
  for (const [name, value] of Object.entries(source)) if (value !== undefined) params.set(name, value);
  return params.toString();
}

export type ShownPeople = MoneySource & { of: MoneyPeople };

/** Returns the figure or stage whose people the address asks for, and of which source. */
export function useShownPeople(): ShownPeople | undefined {
  const [params] = useSearchParams();
  const { of, source, campaign, without } = moneyPeopleQuery.shape;
  const asked = of.safeParse(params.get('people')).data;
  const read = <Value>(name: string, part: { safeParse: (text: string) => { data?: Value | undefined } }) =>
    part.safeParse(params.get(name) ?? '').data;
  return (
    asked && {
      of: asked,
      source: read('source', source),
      campaign: read('campaign', campaign),
      without: read('without', without),
    }
  );
}

/** Writes a row of the revenue as the source that its people are asked for by. */
export function toSource({ source, campaign }: Pick<Revenue, 'source' | 'campaign'>): MoneySource {
  return {
    source: source ?? undefined,
    campaign: campaign ?? undefined,
    without:
      source === null ? (campaign === null ? 'source,campaign' : 'source') : campaign === null ? 'campaign' : undefined,
  };
}

/** The name of the source of leads that have none. */
export const NO_SOURCE = '(none)';

/** `from nav_sub, spring_newsletter`, or undefined for any source. */
export function describeSource({ source, campaign, without }: MoneySource): string | undefined {
  const hasNoSource = without?.includes('source');
  if (source === undefined && campaign === undefined && !hasNoSource) return undefined;
  return `from ${[source ?? (hasNoSource && NO_SOURCE), campaign].filter(Boolean).join(', ')}`;
}
