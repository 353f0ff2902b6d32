// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from 'vitest';
import { hideQuery, loadWithQuery, readQuery } from './hidden-query.ts';

beforeEach(() => window.history.replaceState({ key: 'k' }, '', '/thank-you?session_id=cs_1#top'));

test('a hidden query is out of the URL, and can still be read', () => {
  hideQuery();

  expect(window.location.href).not.toContain('?');
  expect(window.location.hash).toBe('#top');
  expect(window.history.state).toMatchObject({ key: 'k' });
  expect(readQuery(window.location.search).get('session_id')).toBe('cs_1');
  expect(readQuery('?session_id=cs_2').get('session_id')).toBe('cs_2');
});

test('a reload of a receipt asks the server for the whole URL, any other page does not', () => {
  const replace = vi.spyOn(window.location, 'replace').mockImplementation(() => undefined);
  expect(loadWithQuery()).toBe(false);
  hideQuery();
  expect(loadWithQuery()).toBe(true);
  expect(replace).toHaveBeenCalledExactlyOnceWith('/thank-you?session_id=cs_1#top');

  window.history.replaceState(null, '', '/?utm_source=news');
  hideQuery();
  expect(loadWithQuery()).toBe(false);
  replace.mockRestore();
});
