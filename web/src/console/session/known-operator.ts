import type { OperatorAnswer } from '@site/schema/calls/account';
import { readStored, writeStored } from '../../stored-text.ts';

const KEY = 'operatorName';

/** Returns who was logged in when the console was last open in this browser, unless they logged out. */
export function readKnownOperator(): OperatorAnswer | undefined {
  const username = readStored('localStorage', KEY);
  return username === null ? undefined : { username };
}

/** Remembers who is logged in, or that no one is. Who must set up a second factor first may not ask for data. */
export function writeKnownOperator(operator: OperatorAnswer | null): void {
  writeStored(
    'localStorage',
    KEY,
    operator && !operator.mustSetUpSecondFactor ? operator.username : null,
  );
}
