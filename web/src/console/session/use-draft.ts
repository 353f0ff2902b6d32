import { useState } from 'react';
import { useSession } from './session.tsx';

/** A text that is saved nowhere. It stays while the view changes, and the browser asks before it is lost. */
export function useDraft(name: string) {
  const { drafts } = useSession();
  const [text, setText] = useState(() => drafts.get(name) ?? '');
  const change = (changed: string) => {
    setText(changed);
    if (changed) drafts.set(name, changed);
    else drafts.delete(name);
  };
  return [text, change] as const;
}
