import { describeFault } from '../api/call-fault.ts';
import { LinkButton } from './LinkButton.tsx';

type LoadStateProps = {
  /** What is loading, in a word. */
  of: string;
  fault: unknown;
  onTryAgain?: () => Promise<unknown>;
};

/** Takes the place of data that is loading or could not be loaded. */
export function LoadState({ of, fault, onTryAgain }: LoadStateProps) {
  if (fault === undefined) return <output>Loading {of}...</output>;
  return (
    <p role="alert">
      {describeFault(fault)} {onTryAgain && <LinkButton onClick={() => void onTryAgain()}>Try again</LinkButton>}
    </p>
  );
}
