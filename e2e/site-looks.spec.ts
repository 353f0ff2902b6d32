import { PAGE_STATES } from './page-states.ts';
import { takePictures } from './pictures.ts';
import { test } from './system.fixture.ts';

/** States that have no journey of their own: pictures of them, for a person to look at. */
const PICTURED = ['dialog offline', 'subscribe page', 'subscribe page refused', 'landing with an answer open'];

for (const { name, open } of PAGE_STATES.filter((state) => PICTURED.includes(state.name))) {
  test(`${name}: pictures`, async ({ page, faults }) => {
    await page.goto('/');
    await open(page, faults);
    const isDialog = name.startsWith('dialog');
    await takePictures(page, name.replaceAll(' ', '-'), isDialog ? { phoneHeight: 1_400 } : {});
  });
}
