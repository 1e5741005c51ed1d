import { useQuery } from '@tanstack/react-query';
import { DrillDialog } from '../drills/drill-dialog.tsx';
import { serviceNow } from '../kit/clock.ts';
import { viewerZone } from '../kit/zones.ts';
import { AnswerPages } from '../pages/answer-pages.tsx';
import { silenceable } from '../pages/silence-page.tsx';
import { peopleOf } from '../schedules/layout.ts';
import { OverrideDialog } from '../schedules/override-dialog.tsx';
import { scheduleQuery } from '../schedules/queries.ts';
import { teamsQuery } from '../teams/queries.ts';
import { SilenceDialog } from '../windows/silence-dialog.tsx';
import { WindowDialog } from '../windows/window-dialog.tsx';
import type { Asked } from './commands.ts';

/** The dialog of a command: the one that the button in its view opens. */
export function CommandDialog({ asked, close }: { asked: Asked; close: () => void }) {
  if (asked.what === 'override') return <Override schedule={asked.schedule} close={close} />;
  if (asked.what === 'window') return <Window team={asked.team} close={close} />;
  if (asked.what === 'drill') return <DrillDialog team={null} close={close} />;
  if (asked.what === 'silence') {
    const about = silenceable(asked.page);
    return about && <SilenceDialog about={about} close={close} />;
  }
  return <AnswerPages what={asked.what} pages={asked.pages} close={close} />;
}

function Override({ schedule, close }: { schedule: string; close: () => void }) {
  const { data } = useQuery(scheduleQuery(schedule));
  if (!data) return null;
  const now = serviceNow().getTime();
  return (
    <OverrideDialog
      schedule={data}
      people={peopleOf(data.stages, [])}
      start={{ stage: null, seat: null, person: null, from: now, to: now + 86_400_000 }}
      zone={viewerZone()}
      close={close}
    />
  );
}

function Window({ team, close }: { team: string; close: () => void }) {
  const found = useQuery(teamsQuery).data?.teams.find(({ id }) => id === team);
  return found ? <WindowDialog team={found} close={close} /> : null;
}
