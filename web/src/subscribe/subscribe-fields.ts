/** The four fields as they are asked for, with what lets a browser or a phone fill them in. */
export const SUBSCRIBE_FIELDS = {
  name: { label: 'Full Name', autoComplete: 'name', autoCapitalize: 'words', dir: 'auto', required: true },
  email: {
    label: 'Email Address',
    type: 'email',
    inputMode: 'email',
    autoComplete: 'email',
    autoCapitalize: 'none',
    spellCheck: false,
    required: true,
  },
  company: { label: 'Company', note: '(Optional)', autoComplete: 'organization', dir: 'auto' },
  phone: { label: 'Phone', note: '(Optional)', type: 'tel', inputMode: 'tel', autoComplete: 'tel' },
} as const;
