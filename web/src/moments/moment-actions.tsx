import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { MomentDetail } from '../../../src/moments/api-contract.ts';
import { useActionHotkeys } from '../alarm/use-view-hotkeys.ts';
import classes from '../kit/detail.module.css';
import { t } from '../language/t.ts';
import { SilenceDialog } from '../windows/silence-dialog.tsx';
import { useMomentAct } from './use-moment-act.ts';

/** The actions on a moment in its state. One that was followed by a newer moment cannot be reopened. */
export function MomentActions({ detail: { moment, newer } }: { detail: MomentDetail }) {
  const act = useMomentAct(moment.id);
  const open = moment.may_act && moment.state === 'open';
  const resolvable = moment.may_act && moment.state !== 'resolved';
  const reopenable = moment.may_act && moment.state === 'resolved' && newer === null;
  const run = (name: 'acknowledge' | 'resolve' | 'reopen') => act.mutate({ name });
  useActionHotkeys(moment.id, [
    ['a', () => open && run('acknowledge')],
    ['r', () => resolvable && run('resolve')],
    ['shift+R', () => reopenable && run('reopen')],
  ]);
  const busy = act.isPending ? act.variables.name : null;
  return (
    <div className={classes.actions}>
      {open && (
        <Button
          variant="default"
          data-acts={`acknowledge ${moment.id}`}
          loading={busy === 'acknowledge'}
          onClick={() => run('acknowledge')}
        >
          {t('Acknowledge')}
        </Button>
      )}
      {resolvable && (
        <Button
          variant="default"
          data-acts={`resolve ${moment.id}`}
          loading={busy === 'resolve'}
          onClick={() => run('resolve')}
        >
          {t('Resolve')}
        </Button>
      )}
      {reopenable && (
        <Button
          variant="default"
          data-acts={`reopen ${moment.id}`}
          loading={busy === 'reopen'}
          onClick={() => run('reopen')}
        >
          {t('Reopen')}
        </Button>
      )}
      <SilenceMoment moment={moment} />
      <Button
        variant="default"
        renderRoot={(props) => <Link {...props} to="/pages/new" search={pageAbout(moment)} />}
      >
        {t('Page about this')}
      </Button>
    </div>
  );
}

/** Silences what a moment of a page source is about. */
function SilenceMoment({ moment }: { moment: MomentDetail['moment'] }) {
  const [opened, setOpened] = useState(false);
  const { id, name: title, webhook: source, may_silence: may } = moment;
  if (!may || !source) return null;
  const about = { from: { moment: id }, title, source, dedupKey: null, notifying: false };
  return (
    <>
      <Button variant="default" onClick={() => setOpened(true)}>
        {t('Silence')}
      </Button>
      {opened && <SilenceDialog about={about} close={() => setOpened(false)} />}
    </>
  );
}

/** The longest title of a page, in characters. */
const TITLE_LIMIT = 200;
/** A longer text would exceed the URL length that browsers and proxies accept. */
const TEXT_LIMIT = 1_500;

/** The values that prefill the composer. */
function pageAbout({ id, name, team, description, source_url }: MomentDetail['moment']) {
  return {
    kind: 'team' as const,
    to: team.slug,
    title: [...name].slice(0, TITLE_LIMIT).join(''),
    text: [...(description ?? name)].slice(0, TEXT_LIMIT).join(''),
    ...(source_url ? { source: source_url } : {}),
    moment: id,
  };
}
