import type { LoginBody, OperatorAnswer } from '@site/schema/calls/account';
import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import useSWR, { SWRConfig } from 'swr';
import { callApi, toUrl } from '../../http.ts';
import type { CallApi } from '../../http.ts';
import { watchInput } from '../../last-input.ts';
import { Button } from '../../ui/Button.tsx';
import { Loading } from '../shared/LoadState.tsx';
import {
  toFailureText,
  isAway,
  isSignedOut,
  readProblemKind,
  showFailure,
} from '../api/failure.ts';
import { createFetcher } from '../api/data.tsx';
import { EntryPage } from './EntryPage.tsx';
import { SessionContext } from './session.ts';

// Loaded on demand, because operators are mostly signed in.
const Login = lazy(async () => ({ default: (await import('./Login.tsx')).Login }));
const ConfirmOperator = lazy(async () => ({
  default: (await import('./ConfirmOperator.tsx')).ConfirmOperator,
}));

const TRY_AGAIN_MS = 5_000;
const REPLACE = { replace: true };
const ME = 'GET /api/admin/me';
const fetchOperator = createFetcher({ on401: 'null' }) as (
  url: string,
) => Promise<OperatorAnswer | null>;

/** Shows its content to a logged-in operator, and the login to anybody else, at the same URL. */
export function SessionGate({ title, children }: { title: string; children: ReactNode }) {
  const {
    data: operator,
    error,
    mutate,
  } = useSWR<OperatorAnswer | null, unknown>(toUrl(ME), fetchOperator, {
    shouldRetryOnError: isAway,
    onErrorRetry: (_failure, _key, _config, retry, options) =>
      void setTimeout(() => void retry(options), TRY_AGAIN_MS),
  });
  const [ending, setEnding] = useState<'none' | 'asked-for' | 'unexpected'>('none');
  const [drafts] = useState(() => new Map<string, string>());
  const [asked, setAsked] = useState<{ reason: string; resolve: (isConfirmed: boolean) => void }>();

  const actions = useMemo(() => {
    const end = () => {
      // Logging out also fails the calls in progress, which is not unexpected.
      setEnding((known) => (known === 'none' ? 'unexpected' : known));
      void mutate(null, { revalidate: false });
    };
    const call = (async (...request: Parameters<CallApi>) => {
      try {
        return await callApi(...request);
      } catch (failure) {
        if (isSignedOut(failure)) end();
        if (readProblemKind(failure) !== 'confirmation-required') throw failure;
        const isConfirmed = await new Promise<boolean>((resolve) => {
          setAsked({ reason: toFailureText(failure), resolve });
        });
        setAsked(undefined);
        if (!isConfirmed) throw failure;
        return await callApi(...request);
      }
    }) as CallApi;
    const logOut = async () => {
      setEnding('asked-for');
      try {
        await call('POST /api/admin/logout');
        await mutate(null, { revalidate: false });
      } catch (failure) {
        if (!isSignedOut(failure)) setEnding('none');
        showFailure('Log out failed', failure);
      }
    };
    const logIn = async (credentials: LoginBody, onIn: (operator: OperatorAnswer) => void) => {
      onIn(await callApi('POST /api/admin/login', { body: credentials }));
      await mutate();
      setEnding('none');
    };
    const dataLoading = {
      // Each operator starts with an empty cache.
      provider: () => new Map(),
      onError: (failure: unknown, key: string) => {
        if (isSignedOut(failure)) end();
        else console.error(`Could not load ${key.replace('$inf$', '')}`, failure);
      },
    };
    return { call, logOut, logIn, dataLoading, reload: () => mutate() };
  }, [mutate]);
  const { call, logOut, logIn, dataLoading, reload } = actions;
  const session = useMemo(
    () => operator && { operator, call, logOut, reload, drafts },
    [operator, call, logOut, reload, drafts],
  );
  const { search } = useLocation();
  const navigate = useNavigate();
  const openFirstView = ({ opensOverview }: OperatorAnswer) => {
    if (opensOverview && search === '') void navigate({ search: 'view=overview' }, REPLACE);
  };
  useEffect(watchInput, []);
  const isIn = Boolean(operator);
  useEffect(() => {
    if (!isIn) return undefined;
    const ask = (event: BeforeUnloadEvent) => {
      if (drafts.size > 0) event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => {
      window.removeEventListener('beforeunload', ask);
      drafts.clear();
    };
  }, [isIn, drafts]);

  if (session) {
    return (
      <SessionContext value={session}>
        <SWRConfig value={dataLoading}>{children}</SWRConfig>
        <Suspense fallback={null}>
          {asked && <ConfirmOperator reason={asked.reason} onEnd={asked.resolve} />}
        </Suspense>
      </SessionContext>
    );
  }
  const opening = (
    <EntryPage title={title}>
      <Loading of="the console" />
    </EntryPage>
  );
  if (operator === null)
    return (
      <Suspense fallback={opening}>
        <Login
          hasEnded={ending === 'unexpected'}
          onLogIn={(given) => logIn(given, openFirstView)}
        />
      </Suspense>
    );
  if (error === undefined) return opening;
  return (
    <EntryPage title="The console could not be opened">
      <p>{toFailureText(error)}</p>
      <Button look="line" onClick={() => void mutate()}>
        Try again
      </Button>
    </EntryPage>
  );
}
