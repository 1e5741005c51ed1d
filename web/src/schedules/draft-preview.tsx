import { Button } from '@mantine/core';
import { useState } from 'react';
import type { PersonPreview, Preview, ShiftChange } from '../../../src/planning/plan-api-contract.ts';
import { asSentence } from '../kit/detail.ts';
import { Scroller } from '../kit/scroller.tsx';
import { inClock } from '../kit/time.ts';
import type { Zone } from '../kit/zones.ts';
import { t } from '../language/t.ts';
import { Avatar, usePersonColour } from '../people/avatar.tsx';
import classes from './schedules.module.css';

const FIRST = 8;

/** What a draft changes: each shift that a person gains or loses, and whether the plan becomes fairer. */
export function DraftPreview({ preview, zone, now }: { preview: Preview; zone: Zone; now: number }) {
  return (
    <div className={classes.halves}>
      <Fairness people={preview.people} />
      <Changes changes={preview.changes} zone={zone} now={now} />
      {preview.gaps.length > 0 && (
        <section className="stack" aria-label={t('Gaps of the draft')}>
          <h2>{t('Shifts that nobody can take')}</h2>
          <div className="card lines">
            {preview.gaps.map((gap) => (
              <div key={`${gap.stage} ${gap.starts_at}`} className="line">
                <span className="dot ink-alarm" />
                <span className="grow">{inClock(asSentence(gap.sentence))}</span>
              </div>
            ))}
          </div>
        </section>
      )}
    </div>
  );
}

function Fairness({ people }: { people: readonly PersonPreview[] }) {
  const most = Math.max(1, ...people.flatMap(({ before, after }) => [before.hours, after.hours]));
  return (
    <section className="stack" aria-label={t('Load in the draft')}>
      <h2>{t('Load in the draft; the mark is the load now')}</h2>
      <Scroller label={t('Load of each person in the draft')}>
        <table className={classes.people}>
          <thead>
            <tr>
              <th scope="col">{t('Person')}</th>
              <th scope="col" className={classes.wide} style={{ width: '34%' }}>
                <span className="visually-hidden">{t('Share')}</span>
              </th>
              <th scope="col">{t('Hours')}</th>
              <th scope="col">{t('Nights')}</th>
              <th scope="col">{t('Weekends')}</th>
            </tr>
          </thead>
          <tbody>
            {people.map((one) => (
              <PersonLine key={one.person.id} one={one} most={most} />
            ))}
          </tbody>
        </table>
      </Scroller>
    </section>
  );
}

function PersonLine({ one, most }: { one: PersonPreview; most: number }) {
  const { person, before, after, gains, loses, sentence } = one;
  const colour = usePersonColour(person.id);
  return (
    <>
      <tr>
        <td>
          <span className="row" style={{ gap: 8 }}>
            <Avatar person={person} size={20} /> {person.name}
          </span>
        </td>
        <td className={classes.wide}>
          <div className={classes.bar} aria-hidden="true">
            <i style={{ width: `${(after.hours / most) * 100}%`, background: colour, opacity: 0.85 }} />
            <b style={{ left: `${Math.min(99.5, (before.hours / most) * 100)}%` }} />
          </div>
        </td>
        <td className="mono">{change(before.hours, after.hours)}</td>
        <td className="mono">{change(before.nights, after.nights)}</td>
        <td className="mono">{change(before.weekends, after.weekends)}</td>
      </tr>
      {gains.shifts + loses.shifts > 0 && (
        <tr className={classes.about}>
          <td colSpan={5} className="muted">
            {sentence}
          </td>
        </tr>
      )}
    </>
  );
}

/** `168`, or `168 → 120` when the draft changes it. */
function change(before: number, after: number): string {
  const [was, is] = [Math.round(before), Math.round(after)];
  return was === is ? `${is}` : `${was} → ${is}`;
}

function Changes({ changes, zone, now }: { changes: readonly ShiftChange[]; zone: Zone; now: number }) {
  const [all, setAll] = useState(false);
  const shown = all ? changes : changes.slice(0, FIRST);
  return (
    <section className="stack" aria-label={t('Shifts that change hands')}>
      <h2>{t('Shifts that change hands')}</h2>
      <div className="card lines">
        {changes.length === 0 && <div className="line muted">{t('Nothing.')}</div>}
        {shown.map((one) => (
          <div key={`${one.stage} ${one.seat} ${one.starts_at}`} className="line wrap">
            <span className="mono muted">{zone.moment(Date.parse(one.starts_at), now)}</span>
            <span className="grow">
              <b>{one.after?.name ?? t('nobody')}</b>{' '}
              <s className="faint">{one.before?.name ?? t('nobody')}</s>
            </span>
            <span className="muted">{t('stage {stage}', { stage: one.stage })}</span>
          </div>
        ))}
        {changes.length > shown.length && (
          <div className="line">
            <Button variant="default" onClick={() => setAll(true)}>
              {t('{count} more', { count: changes.length - shown.length })}
            </Button>
          </div>
        )}
      </div>
    </section>
  );
}
