import { Button } from '@mantine/core';
import { useState } from 'react';
import type { PageSummary } from '../../../src/pages/api-contract.ts';
import classes from '../kit/detail.module.css';
import { t } from '../language/t.ts';
import { MoreActions, type PageDialog } from './more-actions.tsx';
import { PeopleDialog } from './people-dialog.tsx';
import { SilencePage } from './silence-page.tsx';
import { SnoozeDialog } from './snooze-dialog.tsx';
import { useAct } from './use-act.ts';
import { useAgain } from './use-again.ts';
import { usePageKeys } from './use-page-keys.tsx';

/** The actions on a page in its state, with the most likely one highlighted. */
export function PageActions({ page }: { page: PageSummary }) {
  const question = usePageKeys(page, () => true);
  // Kept apart from the buttons, which change with the state of the page: an open dialog stays when somebody else acts.
  const [opened, setOpened] = useState<PageDialog | null>(null);
  const close = () => setOpened(null);
  return (
    <>
      <Actions page={page} open={setOpened} />
      {question}
      {(opened === 'responders' || opened === 'reassign') && (
        <PeopleDialog page={page} purpose={opened} close={close} />
      )}
      {opened === 'snooze' && <SnoozeDialog page={page} close={close} />}
    </>
  );
}

function Actions({ page, open }: { page: PageSummary; open: (dialog: PageDialog) => void }) {
  const act = useAct(page.id);
  const notifying = page.may_act && page.state === 'notifying';
  const resolvable = page.may_act && page.state !== 'resolved';
  const run = (name: 'acknowledge' | 'resolve' | 'escalate' | 'reopen') => act.mutate({ name });
  if (page.may_act && page.state === 'resolved')
    return (
      <div className={classes.actions}>
        <Button
          variant="default"
          data-acts={`reopen ${page.id}`}
          loading={act.isPending}
          onClick={() => run('reopen')}
        >
          {t('Reopen')}
        </Button>
        <PageAgain page={page} />
        <SilencePage page={page} />
      </div>
    );
  if (!resolvable)
    return (
      <div className={classes.actions}>
        {(page.state === 'expired' || page.state === 'resolved') && <PageAgain page={page} />}
        <SilencePage page={page} />
      </div>
    );
  const busy = act.isPending ? act.variables.name : null;
  return (
    <div className={classes.actions}>
      {page.state === 'expired' && <PageAgain page={page} />}
      {notifying && (
        <Button
          data-primary
          data-acts={`acknowledge ${page.id}`}
          loading={busy === 'acknowledge'}
          onClick={() => run('acknowledge')}
        >
          {t('Acknowledge')}
        </Button>
      )}
      {notifying && page.kind === 'team' && (
        <Button
          variant="default"
          data-acts={`escalate ${page.id}`}
          loading={busy === 'escalate'}
          onClick={() => run('escalate')}
        >
          {t('Escalate now')}
        </Button>
      )}
      {notifying && (
        <>
          <Button variant="default" onClick={() => open('responders')}>
            {t('Add people')}
          </Button>
          <Button variant="default" onClick={() => open('reassign')}>
            {t('Reassign')}
          </Button>
        </>
      )}
      <Button
        variant={page.state === 'acknowledged' ? 'filled' : 'default'}
        data-primary={page.state === 'acknowledged' || undefined}
        data-acts={`resolve ${page.id}`}
        loading={busy === 'resolve'}
        onClick={() => run('resolve')}
      >
        {page.state === 'expired' ? t('Mark as handled') : t('Resolve')}
      </Button>
      {page.may_act && page.state === 'acknowledged' && <MoreActions page={page} open={open} />}
      <SilencePage page={page} />
    </div>
  );
}

function PageAgain({ page }: { page: PageSummary }) {
  const again = useAgain(page.id);
  const isOpen = page.paged_again?.state === 'notifying' || page.paged_again?.state === 'acknowledged';
  if (isOpen) return null;
  return (
    <Button
      data-primary={page.unanswered || undefined}
      variant={page.unanswered ? 'filled' : 'default'}
      data-acts={`again ${page.id}`}
      loading={again.isPending}
      onClick={() => again.mutate()}
    >
      {t('Page again')}
    </Button>
  );
}
