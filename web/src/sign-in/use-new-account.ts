import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { accountApi } from '../../../src/sessions/api-contract.ts';
import { send } from '../api/call.ts';
import { forgetToken } from './fragment.ts';
import { makePasskey } from './passkey.ts';
import { useArrival } from './ways-in.ts';

/** Creates an account together with its credentials, then goes to `next`. */
export function useNewAccount(
  create: (secret: { password?: string }) => Promise<unknown>,
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
      if (!made.current) await create(secret);
      else if (way === 'password') await send(accountApi.password, { body: { password } });
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
