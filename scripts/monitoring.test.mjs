import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { ALERT_KINDS } from '../packages/schema/src/conditions.ts';
import { ROOT } from './settings.mjs';

const read = (path) => readFileSync(join(ROOT, path), 'utf8');

function listSources(folder) {
  return readdirSync(join(ROOT, folder), { recursive: true })
    .filter(
      (name) =>
        name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.includes('node_modules'),
    )
    .map((name) => read(join(folder, name)));
}

/** Lists the names in PromQL, without labels, functions and words. */
function metricsIn(expression) {
  const bare = expression.replaceAll(
    /"[^"]*"|\{[^}]*\}|\[[^\]]*\]|\b(?:by|on|without) \([^)]*\)/g,
    ' ',
  );
  const names = bare.match(/\b[a-z]\w*\b(?! *\()/g) ?? [];
  return names.filter((name) => !['and', 'or', 'unless', 'by'].includes(name));
}

const rules = read('deploy/monitoring/alerts.yml');
const dashboard = JSON.parse(read('deploy/monitoring/grafana-dashboard.json'));
const ruleExpressions = [...rules.matchAll(/^ +expr: (.+)$/gm)].map(([, text]) => text);
const panelExpressions = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));

test('API or worker exports every metric of the alert rules and the dashboard', () => {
  const sources = [
    ...listSources('services/api/src'),
    ...listSources('services/worker/src'),
    ...listSources('packages/platform/src'),
  ];
  const isExported = (metric) => {
    const name = metric.replace(/_(?:bucket|count|sum)$/, '');
    return sources.some((source) => source.includes(`'${name}'`) || source.includes(`'${metric}'`));
  };
  const asked = new Set([...ruleExpressions, ...panelExpressions].flatMap(metricsIn));

  expect(asked.size).toBeGreaterThan(10);
  expect([...asked].filter((metric) => !isExported(metric))).toEqual([]);
});

test('every rule has a severity, a summary, and the URL of its page', () => {
  const alerts = rules.split(/^ +- alert: /m).slice(1);

  expect(alerts.length).toBe(ruleExpressions.length);
  for (const alert of alerts) {
    expect(alert).toMatch(/severity: (?:page|ticket) /);
    expect(alert).toMatch(/summary: .+\.$/m);
    const [, path = 'no page'] = /runbook_url: (\S+)/.exec(alert) ?? [];
    const line = `[^\n]+\\(\`${alert.split('\n', 1)[0]}\`\\)`;
    const page = path.split('/').at(-1);
    expect(read('docs/alerts/README.md')).toMatch(new RegExp(`\\(${page}\\)${line}`));
  }
});

test('every alert has a page, every page an alert and a place in the list of pages', () => {
  const pages = readdirSync(join(ROOT, 'docs/alerts')).filter((name) => name !== 'README.md');
  const ours = ALERT_KINDS.map((kind) => `docs/alerts/${kind}.md`);
  const ofRules = [...rules.matchAll(/runbook_url: (\S+)/g)].map(([, path]) => path);
  expect(ours.filter((path) => !ofRules.includes(path))).toEqual([]);
  expect(ofRules.length).toBe(pages.length);
  expect(pages.length).toBeLessThanOrEqual(17);
  const listed = [...read('docs/alerts/README.md').matchAll(/^- \[(.+?)\]\(\1\.md\)/gm)].map(
    ([, name]) => `${name}.md`,
  );

  expect(new Set(pages.map((name) => `docs/alerts/${name}`))).toEqual(
    new Set([...ours, ...ofRules]),
  );
  expect(listed.toSorted()).toEqual(pages.toSorted());
});

test('a rule covers a missing API or worker, and each stop of intake or sync', () => {
  const asks = (text) => ruleExpressions.some((expression) => expression.includes(text));

  const metrics = ['leads_accepted_total', 'newsletter_slots_used'];
  expect(metrics.filter((metric) => !asks(`absent(${metric})`))).toEqual([]);
  const kinds = ['cannot-write', 'no-worker', 'paused', 'outage', 'stalled', 'pending-too-long'];
  expect(kinds.filter((kind) => !asks(`max(sync_condition{kind="${kind}"}) == 1`))).toEqual([]);
  expect(asks('/api/lead/subscribe|/subscribe",status_class="5xx"')).toBe(true);
});

test('no panel overlaps another', () => {
  const places = dashboard.panels.map(({ gridPos: { x, y } }) => `${x} ${y}`);

  expect(new Set(places).size).toBe(places.length);
});
