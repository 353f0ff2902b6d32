import { PAGE_STATES } from './support/page-states.ts';
import { takePictures } from './support/pictures.ts';
import { test } from './support/system.fixture.ts';

/** States that a journey creates, and pictures: looks.spec.ts. */
const PICTURED_THERE = [
  'landing',
  'dialog at rest',
  'dialog refused',
  'dialog under way',
  'dialog failed',
  'sample sent to an email',
  'thank you',
  'thank you confirmed',
  'not found',
];

for (const { name, open } of PAGE_STATES.filter((state) => !PICTURED_THERE.includes(state.name))) {
  test(`${name}: pictures`, async ({ page, faults }) => {
    await page.goto('/');
    await open(page, faults);
    const isDialog = name.startsWith('dialog');
    await takePictures(page, name.replaceAll(/\W+/g, '-'), isDialog ? { phoneHeight: 1_400 } : {});
  });
}
