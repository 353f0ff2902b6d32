import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import axe from 'axe-core';

/** Returns axe's findings of any impact on a page or a part of it, each with its elements. */
export async function findBarriers(page: Page, part = 'html'): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page, axeSource: axe.source })
    .include(part)
    .analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target }) => `${id}: ${target.join(' ')}`),
  );
}
