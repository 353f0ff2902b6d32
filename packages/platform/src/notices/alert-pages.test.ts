import { test } from '@site/testing/fixtures';
import { ALERT_KINDS, CONDITION_KINDS, toAlertPage } from '@site/schema/conditions';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';

const ROOT = new URL('../../../../', import.meta.url);
const PAGES = readdirSync(new URL('docs/alerts', ROOT));
const read = (path: string) => readFileSync(fileURLToPath(new URL(path, ROOT)), 'utf8');

test.for(PAGES)('the page %s has commands that exist', (name) => {
  const text = read(`docs/alerts/${name}`);
  const files = [
    ...text.matchAll(/node (services\/\w+)\/dist\/(commands\/[\w-]+)\.js|(deploy\/[\w-]+\.sh)/g),
  ].map(([, service, command, script]) => script ?? `${service}/src/${command}.ts`);
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const npmCommands = [...text.matchAll(/npm run ([a-z:]+)/g)].map(([, command = '']) => command);

  expect(text).toContain('```sh\n');
  expect(files.filter((path) => !existsSync(new URL(path, ROOT)))).toEqual([]);
  expect(npmCommands.filter((command) => !Object.hasOwn(scripts, command))).toEqual([]);
});

test.for(PAGES)('the page %s has only statements that Postgres accepts', async (name, { db }) => {
  const statements = [...read(`docs/alerts/${name}`).matchAll(/ -c "(.+)"$/gm)].map(
    ([, sql = '']) => sql,
  );

  for (const statement of statements) await db.raw(`explain ${statement}`);
});

test.for([...CONDITION_KINDS, ...ALERT_KINDS])('the alert %s has a page', (kind) => {
  expect(existsSync(new URL(toAlertPage(kind), ROOT))).toBe(true);
});
