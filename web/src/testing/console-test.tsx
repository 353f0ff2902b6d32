// The fixtures of every console test: a logged-in operator and a system without leads.
import { screen, within } from '@testing-library/react';
import { DEFAULT_SITE_SETTINGS } from '@site/schema/site-settings';
import { vi } from 'vitest';
import { provideSiteSettings } from '../site-settings.ts';
import { Console } from '../console/Console.tsx';
import { DataLoading } from '../console/api/data.tsx';
import type { LeadListAnswer } from '@site/schema/calls/leads';
import type { PersonAnswer } from '@site/schema/calls/people';
import type { Lead } from '@site/schema/lead';
import {
  buildCharts,
  buildDelivery,
  buildDetail,
  buildHealth,
  buildList,
  buildMoney,
  buildMonths,
} from './build-console.ts';
import { buildDifferences, buildPeople, buildPerson } from './build-people.ts';
import { show, test as base } from './component-test.tsx';
import type { FakeApi } from './fake-api.ts';
import { createLiveStream } from './fake-event-source.ts';
import type { LiveStream } from './fake-event-source.ts';
import { buildOverview, buildSetUp } from './build-overview.ts';

// happy-dom has no popovers.
Object.assign(HTMLElement.prototype, { hidePopover: () => undefined });

export const test = base.extend<{ stream: LiveStream }>({
  stream: [
    async ({ api }, use) => {
      // Loads every view's code, which the console fetches on first use. Files share modules, so a
      // file that ends during a load would leave the next file waiting for it.
      await Promise.all([
        import('../console/account/AccountView.tsx'),
        import('../console/activity/ActivityView.tsx'),
        import('../console/money/MoneyView.tsx'),
        import('../console/overview/OverviewView.tsx'),
        import('../console/people/PeopleView.tsx'),
        import('../console/sync/SyncView.tsx'),
      ]);
      // The price rise has passed, so it needs no attention.
      provideSiteSettings({
        ...DEFAULT_SITE_SETTINGS,
        offerPhase: 'standard',
        termsUrl: 'https://owner.example/terms',
        privacyUrl: 'https://owner.example/privacy',
      });
      api.answer('GET /livez', { status: 'ok' });
      api.answer('GET /api/admin/me', { username: 'admin' });
      api.answer('GET /api/admin/operators', { operators: [] });
      api.answer('GET /api/admin/sync', buildHealth());
      api.answer('GET /api/admin/sync/delivery', buildDelivery());
      api.answer('GET /api/admin/charts', buildCharts());
      api.answer('GET /api/admin/bulk-retries', { bulkRetries: [] });
      api.answer('GET /api/admin/set-up', buildSetUp());
      api.answer('GET /api/admin/overview', buildOverview());

      api.answer('GET /api/admin/money', buildMoney());
      api.answer('GET /api/admin/money/history', { months: buildMonths(), since: '2024-02' });
      api.answer('GET /api/admin/money/calls', { people: [], isCapped: false });
      api.answer('GET /api/admin/checkouts/abandoned', { people: [], isCapped: false });
      api.answer('GET /api/admin/differences', buildDifferences());
      api.answer('GET /api/admin/attention', { items: [], count: 0 });
      api.answer('GET /api/admin/audit', { actions: [], nextBefore: null, operators: [] });
      api.answer('GET /api/admin/people/erasures', { erasures: [] });
      api.answer('POST /api/admin/people/search', buildPeople([]));
      api.answer('GET /api/admin/leads/:id/notes', { notes: [] });
      haveLeads(api, []);
      const stream = createLiveStream();
      vi.stubGlobal('EventSource', stream.EventSource);
      await use(stream);
    },
    { auto: true },
  ],
});

/** Makes the API answer with these leads for any filter. */
export function haveLeads(
  api: FakeApi,
  leads: Lead[],
  changes: Partial<LeadListAnswer> = {},
): void {
  api.answer('GET /api/admin/leads', buildList(leads, changes));
  api.answer('GET /api/admin/leads/:id', ({ url }) => {
    const lead = leads.find(({ id }) => url.pathname.endsWith(id));
    if (!lead) throw new Error(`No lead at ${url.pathname}`);
    return buildDetail(lead);
  });
  api.answer('GET /api/admin/leads/:id/person', ({ url }) => {
    const lead = leads.find(({ id }) => url.pathname.includes(id));
    if (!lead) throw new Error(`No lead at ${url.pathname}`);
    return buildPerson(lead);
  });
}

/** Makes the API answer with a lead, and with what is known about its person. */
export function havePerson(api: FakeApi, lead: Lead, changes: Partial<PersonAnswer> = {}): void {
  haveLeads(api, [lead]);
  api.answer('GET /api/admin/leads/:id/person', buildPerson(lead, changes));
}

/** Opens the console at one of its URLs. */
export function showConsole(address = '/admin-leads'): void {
  show(
    <DataLoading>
      <Console />
    </DataLoading>,
    address,
  );
}

/** Waits for the row of a lead. */
export async function findRow({ email }: Pick<Lead, 'email'>): Promise<HTMLElement> {
  const row = (await screen.findByTitle(email)).closest('tr');
  if (!row) throw new Error(`${email} is not in the table`);
  return row;
}

/** Waits for the title of a view. */
export const findView = async (name: string | RegExp) =>
  screen.findByRole('heading', { level: 1, name });

/** Waits for a part of the console, and returns the queries within it. */
export const findWithin = async (role: string, name?: string | RegExp) =>
  within(await screen.findByRole(role, name === undefined ? {} : { name }));
