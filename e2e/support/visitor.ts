import { randomBytes } from 'node:crypto';

export type Visitor = { fullName: string; email: string; company: string; phone: string };

/** Builds a new visitor. `tag` selects the sandbox's answer. */
export function newVisitor({ fullName = 'Priya Raman', tag = '' } = {}): Visitor {
  const plus = tag === '' ? '' : `+${tag}`;
  return {
    fullName,
    email: `priya.${randomBytes(6).toString('hex')}${plus}@northgate.example`,
    company: 'Northgate Capital',
    phone: '+44 20 7946 0000',
  };
}
