import { useQuery } from '@tanstack/react-query';
import { Unread } from '../kit/states.tsx';
import { zoneName } from '../kit/time.ts';
import { ListHead } from '../kit/view-head.tsx';
import { t } from '../language/t.ts';
import { PasskeysCard } from './passkeys-card.tsx';
import { PasswordCard } from './password-card.tsx';
import { accountQuery } from './queries.ts';
import { SessionsCard } from './sessions-card.tsx';
import { TwoFactorCard } from './two-factor-card.tsx';

/** How the viewer signs in, and where they are signed in. */
export function AccountView() {
  const { data: account, error, refetch } = useQuery(accountQuery);
  return (
    <div className="view" style={{ maxWidth: 760 }}>
      <ListHead
        name={t('Account')}
        about={t('sign-in and security · times in {zone}', { zone: zoneName() })}
      />
      {!account && <Unread error={error} again={refetch} rows={4} />}
      {account && (
        <>
          <PasswordCard has={account.password} />
          <PasskeysCard account={account} />
          <TwoFactorCard account={account} />
          <SessionsCard sessions={account.sessions} />
        </>
      )}
    </div>
  );
}
