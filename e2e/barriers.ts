import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import axe from 'axe-core';

/** What axe finds on a page, or in a part of it, of any impact, each with the elements it means. */
export async function findBarriers(page: Page, part = 'html'): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page, axeSource: axe.source })
    .include(part)
    .analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target }) => `${id}: ${target.join(' ')}`),
  );
}
