import { Button, Menu } from '@mantine/core';
import type { PageSummary } from '../../../src/pages/api-contract.ts';
import { t } from '../language/t.ts';
import { useAct } from './use-act.ts';

/** The dialogs of actions on a page. */
export type PageDialog = 'responders' | 'reassign' | 'snooze';

/** The menu of further actions on an acknowledged page. */
export function MoreActions({ page, open }: { page: PageSummary; open: (dialog: PageDialog) => void }) {
  const act = useAct(page.id);
  return (
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
        <Menu.Item onClick={() => open('responders')}>{t('Add people')}</Menu.Item>
        <Menu.Item onClick={() => open('reassign')}>{t('Reassign')}</Menu.Item>
        <Menu.Divider />
        <Menu.Item onClick={() => open('snooze')}>{t('Snooze')}</Menu.Item>
        <Menu.Item onClick={() => act.mutate({ name: 'unacknowledge' })}>{t('Un-acknowledge')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
