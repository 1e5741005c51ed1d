import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { call } from '../api/call.ts';
import { forgetToken } from './fragment.ts';
import { makePasskey } from './passkey.ts';
import { useArrival } from './ways-in.ts';

/** Creates an account at `path` together with its credentials, then goes to `next`. */
export function useNewAccount(
  path: string,
  account: Record<string, string>,
  password: string,
  next: '/' | '/first-page',
) {
  const arrive = useArrival();
  const navigate = useNavigate();
  /** The account exists already when only the passkey was cancelled. */
  const made = useRef(false);
  return useMutation({
    mutationFn: async (way: 'password' | 'passkey') => {
      const secret = way === 'password' ? { password } : {};
      if (!made.current) await call('POST', path, { ...account, ...secret });
      else if (way === 'password') await call('POST', '/api/account/password', { password });
      made.current = true;
      if (way === 'passkey') await makePasskey();
    },
    onSuccess: async () => {
      await arrive();
      forgetToken();
      await navigate({ to: next });
    },
  });
}
