import type { CallAnswer, KnownCall } from '@site/schema/calls/calls';
import { useRef } from 'react';
import useSWRMutation from 'swr/mutation';
import { HttpError } from '../../http.ts';
import type { CallOptions, RequestOf } from '../../http.ts';
import { newId } from '../../new-id.ts';
import {
  toFailureText,
  isCalledOff,
  isSignedOut,
  readProblemKind,
  showFailure,
  withFullStop,
} from '../api/failure.ts';
import { useSession } from './session.ts';

type CallEnd<Name extends KnownCall> = {
  /** Runs after a success. The call is pending until this is done. */
  onDone?: (answer: CallAnswer<Name>) => unknown;
  /** False for an answer that left work undone: the same call again has the same key. */
  isFinished?: (answer: CallAnswer<Name>) => boolean;
  /** The beginning of a failure's notice. Without it, the caller shows the failure. */
  notice?: string;
};

/**
 * Makes a call that changes something. Returns whether it is pending, the last failure, and the
 * errors by field. A repeat of a failed request has the same key, so nothing happens twice.
 */
export function useCall<Name extends KnownCall>(
  name: Name,
  { onDone, isFinished, notice }: CallEnd<Name> = {},
) {
  const { call, operator } = useSession();
  const intent = useRef({ id: '', of: '' });
  const { trigger, isMutating, error, reset } = useSWRMutation(
    name as string,
    // Failures are handled here, because another request may start before this request is answered.
    async (_name: string, { arg: work }: { arg: () => Promise<unknown> }) => work(),
    { throwOnError: false, onError: () => undefined, onSuccess: () => undefined },
  );

  /** Returns a success's answer, which may be without content, or null for a failure. */
  async function send(...[request]: RequestOf<Name>): Promise<{ answer: CallAnswer<Name> } | null> {
    const of = JSON.stringify(request ?? {});
    if (intent.current.of !== of) intent.current = { id: newId(), of };
    let done: { answer: CallAnswer<Name> } | null = null;
    await trigger(async () => {
      const headers = { 'Idempotency-Key': intent.current.id };
      const sent = [{ ...(request as object), headers }] as unknown as RequestOf<Name, CallOptions>;
      try {
        done = { answer: (await call(name, ...sent)) as CallAnswer<Name> };
      } catch (refusal) {
        if (notice !== undefined) showFailure(notice, refusal);
        throw refusal;
      }
      if (isFinished?.(done.answer) === false) return;
      if (intent.current.of === of) intent.current = { id: '', of: '' };
      await onDone?.(done.answer);
    });
    return done;
  }

  // After the session's end the login appears instead.
  const isSilent = error === undefined || isMutating || isSignedOut(error) || isCalledOff(error);
  const failure = isSilent ? undefined : toFailureText(error);
  const errors =
    failure !== undefined && error instanceof HttpError ? (error.problem?.errors ?? []) : [];
  const fieldErrors: Partial<Record<string, string>> = Object.fromEntries(
    errors.map(({ field, message }) => [field, withFullStop(message)]),
  );
  return {
    send,
    failure,
    kind: readProblemKind(error),
    fieldErrors,
    isPending: isMutating,
    reset,
    /** A viewer, who sees no button for the call. */
    isViewer: operator.isViewer === true,
  };
}
