import { z } from 'zod';
import type { Endpoint } from '../wire/endpoint.ts';
import { endpoint } from '../wire/endpoint.ts';
import { isWanted, pageParameters, toPage } from '../wire/list.ts';
import { flag, isInRange, range, text } from '../wire/parameters.ts';
import { onlyOneOf } from '../wire/stripe-fault.ts';
import type { EventDeps } from './event.store.ts';

const KEPT_DAYS = 30;

export function eventEndpoints({ store, clock }: EventDeps): Endpoint[] {
  return [
    endpoint(
      'get',
      '/events',
      {
        ...pageParameters,
        created: range,
        delivery_success: flag.optional(),
        type: text().optional(),
        types: z.array(text()).max(20, { error: 'At most 20 types' }).optional(),
      },
      (params) => {
        if (params.type !== undefined && params.types) throw onlyOneOf('type', 'types');
        const types = params.types ?? (params.type === undefined ? undefined : [params.type]);
        const oldest = clock.now().getTime() / 1_000 - KEPT_DAYS * 24 * 60 * 60;
        const events = store.events
          .newestFirst()
          .filter((event) => event.created >= oldest && isInRange(event.created, params.created))
          .filter(
            (event) => types === undefined || types.some((type) => matchesType(event.type, type)),
          )
          .filter((event) => isWanted(event.pending_webhooks === 0, params.delivery_success));
        return toPage('/v1/events', events, params);
      },
    ),
  ];
}

function matchesType(type: string, wanted: string): boolean {
  return wanted.endsWith('.*') ? type.startsWith(wanted.slice(0, -1)) : type === wanted;
}
