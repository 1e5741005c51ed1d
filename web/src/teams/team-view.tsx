import { Button, Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { TeamDetail } from '../../../src/people/team-api-contract.ts';
import { useIsEnding } from '../api/ending.ts';
import { SendDrill } from '../drills/send-drill.tsx';
import { Copy } from '../kit/copy.tsx';
import classes from '../kit/detail.module.css';
import { NotShown } from '../kit/not-shown.tsx';
import { ViewHead } from '../kit/view-head.tsx';
import { t } from '../language/t.ts';
import { TeamSources } from '../sources/team-sources.tsx';
import { TeamWebhooks } from '../webhooks/team-webhooks.tsx';
import { TeamWindows } from '../windows/team-windows.tsx';
import { DeleteTeam } from './delete-team.tsx';
import { teamQuery } from './queries.ts';
import { RenameTeam } from './rename-team.tsx';
import { TeamMembers } from './team-members.tsx';
import { TeamMoments } from './team-moments.tsx';
import { TeamOnCall } from './team-on-call.tsx';

/** One team: who is on call, its members, its page sources and webhooks, its latest moments. */
export function TeamView() {
  const { slug } = useParams({ from: '/teams/$slug' });
  const { data, error, refetch } = useQuery({ ...teamQuery(slug), enabled: !useIsEnding(slug) });
  if (data) return <Team detail={data} />;
  return (
    <NotShown
      error={error}
      again={refetch}
      missing={t('There is no such team in your organization; its slug may have changed.')}
      to="/teams"
      back={t('All teams')}
    />
  );
}

function Team({ detail }: { detail: TeamDetail }) {
  const { team } = detail;
  return (
    <div className="view">
      <ViewHead
        crumb={
          <Link to="/teams" className="crumb">
            {t('Teams /')}
          </Link>
        }
        name={team.name}
        states={
          <span className="row" style={{ gap: 8 }}>
            <code className="mono muted">{team.slug}</code>
            <Copy text={team.slug} name={t('Copy the slug')} small />
          </span>
        }
      >
        <div className={classes.actions}>
          <SendDrill team={team.slug} />
          <TeamMenu detail={detail} />
        </div>
      </ViewHead>
      <div className={classes.columns}>
        <div className="stack" style={{ gap: 24 }}>
          <TeamOnCall detail={detail} />
          <TeamWindows team={team} />
          <TeamMoments team={team} />
          <TeamSources team={team} mayManage={detail.may_manage} />
          <TeamWebhooks team={team} mayManage={detail.may_manage} />
        </div>
        <aside className="stack" style={{ gap: 20 }}>
          <TeamMembers detail={detail} />
        </aside>
      </div>
    </div>
  );
}

function TeamMenu({ detail }: { detail: TeamDetail }) {
  const [asking, setAsking] = useState<'rename' | 'delete' | null>(null);
  if (!detail.may_manage) return null;
  const close = () => setAsking(null);
  return (
    <>
      <Menu position="bottom-end" width={180}>
        <Menu.Target>
          <Button variant="default">{t('Settings')}</Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setAsking('rename')}>{t('Rename')}</Menu.Item>
          {detail.may_delete && (
            <Menu.Item onClick={() => setAsking('delete')}>{t('Delete the team')}</Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {asking === 'rename' && <RenameTeam team={detail.team} close={close} />}
      {asking === 'delete' && <DeleteTeam detail={detail} close={close} />}
    </>
  );
}
