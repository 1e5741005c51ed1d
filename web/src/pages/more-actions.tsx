import { Button, Menu } from '@mantine/core';
import { useState } from 'react';
import type { PageSummary } from '../../../src/pages/api-contract.ts';
import { PeopleDialog } from './people-dialog.tsx';
import { SnoozeDialog } from './snooze-dialog.tsx';
import { useAct } from './use-act.ts';

/** What else can be done with a page that somebody acknowledged. */
export function MoreActions({ page }: { page: PageSummary }) {
  const act = useAct(page.id);
  const [asking, setAsking] = useState<'responders' | 'reassign' | 'snooze' | null>(null);
  const close = () => setAsking(null);
  return (
    <>
      <Menu position="bottom-end" width={200}>
        <Menu.Target>
          <Button variant="default" loading={act.isPending}>
            More actions
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {page.kind === 'team' && (
            <Menu.Item onClick={() => act.mutate({ name: 'escalate' })}>Escalate</Menu.Item>
          )}
          <Menu.Item onClick={() => setAsking('responders')}>Add people</Menu.Item>
          <Menu.Item onClick={() => setAsking('reassign')}>Reassign</Menu.Item>
          <Menu.Divider />
          <Menu.Item onClick={() => setAsking('snooze')}>Snooze</Menu.Item>
          <Menu.Item onClick={() => act.mutate({ name: 'unacknowledge' })}>Un-acknowledge</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {(asking === 'responders' || asking === 'reassign') && (
        <PeopleDialog page={page} purpose={asking} close={close} />
      )}
      {asking === 'snooze' && <SnoozeDialog page={page} close={close} />}
    </>
  );
}
