import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { PrintLine } from './PrintLine.tsx';

test('a printed page names the newsletter and the moment of printing', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2025-12-03T09:31:00Z') });
  render(<PrintLine />);

  vi.setSystemTime(new Date('2025-12-04T10:00:00Z'));
  fireEvent(window, new Event('beforeprint'));

  expect(screen.getByText(/printed/).textContent).toBe(
    'Liquidation Ledger, printed 4 Dec 2025, 10:00',
  );
  vi.useRealTimers();
});
