import { Button, Menu } from '@mantine/core';
import { useState } from 'react';
import type { PageSummary } from '../../../src/pages/api-contract.ts';
import { t } from '../language/t.ts';
import { PeopleDialog } from './people-dialog.tsx';
import { SnoozeDialog } from './snooze-dialog.tsx';
import { useAct } from './use-act.ts';

/** The menu of further actions on a page. */
export function MoreActions({ page }: { page: PageSummary }) {
  const act = useAct(page.id);
  const [opened, setOpened] = useState<'responders' | 'reassign' | 'snooze' | null>(null);
  const close = () => setOpened(null);
  return (
    <>
      <Menu position="bottom-end" width={200}>
        <Menu.Target>
          <Button variant="default" loading={act.isPending}>
            {t('More actions')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {page.kind === 'team' && (
            <Menu.Item onClick={() => act.mutate({ name: 'escalate' })}>{t('Escalate')}</Menu.Item>
          )}
          <Menu.Item onClick={() => setOpened('responders')}>{t('Add people')}</Menu.Item>
          <Menu.Item onClick={() => setOpened('reassign')}>{t('Reassign')}</Menu.Item>
          <Menu.Divider />
          <Menu.Item onClick={() => setOpened('snooze')}>{t('Snooze')}</Menu.Item>
          <Menu.Item onClick={() => act.mutate({ name: 'unacknowledge' })}>{t('Un-acknowledge')}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {(opened === 'responders' || opened === 'reassign') && (
        <PeopleDialog page={page} purpose={opened} close={close} />
      )}
      {opened === 'snooze' && <SnoozeDialog page={page} close={close} />}
    </>
  );
}
