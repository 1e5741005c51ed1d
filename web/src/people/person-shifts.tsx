import { Link } from '@tanstack/react-router';
import type { PersonDetail } from '../../../src/people/person-contract.ts';
import { Pill } from '../kit/pill.tsx';
import { Empty } from '../kit/states.tsx';
import { useNow } from '../kit/use-now.ts';
import { When } from '../kit/when.tsx';
import { Rich } from '../language/rich.tsx';
import { t } from '../language/t.ts';

/** The next shifts of a person. */
export function PersonShifts({ person }: { person: PersonDetail }) {
  const now = useNow(60_000);
  const { shifts } = person;
  return (
    <section className="stack" aria-label={t('On call')}>
      <div className="row">
        <h2 className="grow">{t('On call')}</h2>
        <Link className="link" to="/reports" search={{ person: person.id }}>
          {t('Load in the reports')}
        </Link>
      </div>
      {shifts.length === 0 && <Empty>{t('No upcoming shifts.')}</Empty>}
      {shifts.length > 0 && (
        <div className="card lines">
          {shifts.map(({ id, schedule, stage, starts_at: from, ends_at: until }) => (
            <div className="line" key={id}>
              <div className="grow">
                <Link className="link" to="/schedules/$id" params={{ id: schedule.id }}>
                  {t('{schedule}, stage {stage}', { schedule: schedule.name, stage })}
                </Link>
                <div className="muted">
                  <Rich
                    text="{from} until {until}"
                    from={<When at={from} now={now} />}
                    until={<When at={until} now={now} />}
                  />
                </div>
              </div>
              {Date.parse(from) <= now.getTime() && <Pill tone="calm">{t('now')}</Pill>}
            </div>
          ))}
        </div>
      )}
    </section>
  );
}
