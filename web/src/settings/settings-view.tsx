import { Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { RequireTwoFactor } from '../account/require-two-factor.tsx';
import { sessionQuery } from '../api/queries.ts';
import { zoneName } from '../kit/time.ts';
import { ListHead } from '../kit/view-head.tsx';
import { t } from '../language/t.ts';
import { Holidays } from '../schedules/holidays.tsx';
import { AuditLogView } from './audit-log-view.tsx';
import { ChannelsView } from './channels-view.tsx';
import { OrganizationForm } from './organization-form.tsx';
import type { SettingsTab } from './settings-search.ts';
import { SystemView } from './system-view.tsx';

/** Settings of the whole organization, with tabs for its channels, the audit log and the system. */
export function SettingsView() {
  const { tab = 'organization' } = useSearch({ from: '/settings' });
  const navigate = useNavigate();
  const role = useQuery(sessionQuery).data?.user.role;
  const runsIt = role === 'owner' || role === 'admin';
  return (
    <div className="view">
      <ListHead name={t('Settings')} about={t('times in {zone}', { zone: zoneName() })}>
        <Link className="link" to="/set-up">
          {t('Set-up')}
        </Link>
      </ListHead>
      <Tabs
        value={tab}
        onChange={(next) => void navigate({ to: '/settings', search: { tab: next as SettingsTab } })}
        keepMounted={false}
      >
        <Tabs.List mb="lg" style={{ flexWrap: 'nowrap', overflowX: 'auto', overflowY: 'hidden' }}>
          <Tabs.Tab value="organization">{t('Organization')}</Tabs.Tab>
          <Tabs.Tab value="channels">{t('Channels')}</Tabs.Tab>
          {runsIt && <Tabs.Tab value="audit">{t('Audit log')}</Tabs.Tab>}
          {runsIt && <Tabs.Tab value="system">{t('System')}</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="organization">
          <div className="stack" style={{ gap: 24 }}>
            <OrganizationForm />
            <Holidays scheduleId={null} mayAdd={runsIt} />
            <RequireTwoFactor />
          </div>
        </Tabs.Panel>
        <Tabs.Panel value="channels">
          <ChannelsView manages={runsIt} />
        </Tabs.Panel>
        <Tabs.Panel value="audit">
          <AuditLogView />
        </Tabs.Panel>
        <Tabs.Panel value="system">
          <SystemView />
        </Tabs.Panel>
      </Tabs>
    </div>
  );
}
