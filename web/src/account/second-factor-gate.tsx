import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { sessionQuery } from '../api/queries.ts';
import { Loading } from '../kit/states.tsx';
import { t } from '../language/t.ts';
import { Outside } from '../sign-in/outside.tsx';
import { Confirming } from './confirming.tsx';
import { PasskeysCard } from './passkeys-card.tsx';
import { accountQuery } from './queries.ts';
import { TwoFactorCard } from './two-factor-card.tsx';

/** Shown instead of the dashboard until the viewer sets up the second factor that the organization requires. */
export function SecondFactorGate() {
  const { data: account } = useQuery(accountQuery);
  // Polls, because the second factor may have been set up through another node; the shell then replaces this view.
  const [busy, setBusy] = useState(false);
  useQuery({ ...sessionQuery, refetchInterval: busy ? false : 1_000 });
  return (
    <Outside
      wide
      title={t('One thing first')}
      lead={t('Your organization requires a second factor. Set up one of these to continue.')}
    >
      {!account && <Loading />}
      {account?.passkeys_possible && <PasskeysCard account={account} />}
      {account && <TwoFactorCard account={account} busy={setBusy} />}
      <Confirming />
    </Outside>
  );
}
