import { Menu } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { call } from '../api/call.ts';
import { showFailure } from '../kit/toast.ts';

export function useSignOut() {
  return useMutation({
    mutationFn: () => call('DELETE', '/api/session'),
    // Nothing of the person may stay in memory.
    onSuccess: () => window.location.assign('/'),
    onError: showFailure,
  });
}

export function SignOutItem() {
  const signOut = useSignOut();
  return <Menu.Item onClick={() => signOut.mutate()}>Sign out</Menu.Item>;
}
