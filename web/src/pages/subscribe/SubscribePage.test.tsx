import { buildFormValues } from '@site/schema/form-fields';
import { screen } from '@testing-library/react';
import { expect } from 'vitest';
import { show, test } from '../../testing/component-test.tsx';
import { SubscribePage } from './SubscribePage.tsx';

test('the form without scripts names the address that was probably meant, as the dialog does', () => {
  const values = buildFormValues((field) => (field === 'email' ? 'jane@gmail,com' : ''));
  const form = { from: 'nav_sub', values, notice: null, intentId: '', landingPage: '' } as const;
  show(<SubscribePage form={{ ...form, faults: { email: 'Invalid email' } }} />);

  expect(screen.getByLabelText(/^Email/).getAttribute('aria-invalid')).toBe('true');
  screen.getByText('Invalid email. Did you mean jane@gmail.com?');
});
