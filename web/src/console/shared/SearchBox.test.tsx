import { act, render, screen } from '@testing-library/react';
import { expect, vi } from 'vitest';
import { test } from '../../testing/component-test.tsx';
import { SearchBox } from './SearchBox.tsx';

const box = () => screen.getByRole<HTMLInputElement>('searchbox');
const rest = () => act(async () => vi.advanceTimersByTimeAsync(1_000));

test.beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true }));

test('a search that typing began joins the filter that was chosen before it started', async ({
  user,
}) => {
  const [before, after] = [vi.fn<(words: string) => void>(), vi.fn<(words: string) => void>()];
  const { rerender } = render(
    <SearchBox label="Search name, email, company" words="" onSearch={before} />,
  );

  await user.type(box(), 'priya');
  rerender(<SearchBox label="Search name, email, company" words="" onSearch={after} />);
  await rest();

  expect(before).not.toHaveBeenCalled();
  expect(after.mock.calls).toEqual([['priya']]);
});

test('going back while typing rests is not undone by the typed text', async ({ user }) => {
  const search = vi.fn<(words: string) => void>();
  const { rerender } = render(
    <SearchBox label="Search name, email, company" words="priya" onSearch={search} />,
  );

  await user.type(box(), ' r');
  rerender(<SearchBox label="Search name, email, company" words="tom" onSearch={search} />);
  await rest();

  expect(search).not.toHaveBeenCalled();
  expect(box().value).toBe('tom');
});

test('a search that takes effect late does not remove text typed since', async ({ user }) => {
  const search = vi.fn<(words: string) => void>();
  const { rerender } = render(
    <SearchBox label="Search name, email, company" words="siobhan" onSearch={search} />,
  );
  await user.clear(box());
  await rest();
  expect(search.mock.calls).toEqual([['']]);

  await user.type(box(), 'e');
  rerender(<SearchBox label="Search name, email, company" words="" onSearch={search} />);
  expect(box().value).toBe('e');

  // The Back button's search is not our own, so the box follows it.
  rerender(<SearchBox label="Search name, email, company" words="siobhan" onSearch={search} />);
  rerender(<SearchBox label="Search name, email, company" words="" onSearch={search} />);
  expect(box().value).toBe('');
});
