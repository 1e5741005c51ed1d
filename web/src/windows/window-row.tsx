import { Link } from '@tanstack/react-router';
import { repeatWords } from '../../../src/calendars/repeat-words-contract.ts';
import type { WindowShown } from '../../../src/sources/windows-api-contract.ts';
import { Pill } from '../kit/pill.tsx';
import { SelectRow } from '../kit/selection.tsx';
import { t } from '../language/t.ts';
import rowClasses from '../moments/moment-row.module.css';
import { EndWindow } from './end-window.tsx';
import { caughtWords, STATE_TONES, scopeWords, stateWords, timeWords } from './words.ts';

/** A window or silence in a list: what it keeps quiet, until when, by whom, and how much it kept from paging. */
export function WindowRow({ window, now, team = false }: { window: WindowShown; now: Date; team?: boolean }) {
  const { id, name, owner, rrule, state } = window;
  const what = [
    ...(team ? [window.team.name] : []),
    scopeWords(window),
    ...(rrule === null ? [] : [repeatWords(rrule)]),
  ];
  return (
    <article className={`opens ${rowClasses.row}`}>
      {window.may_change && <SelectRow id={id} name={name} />}
      <span className={rowClasses.state}>
        <Pill tone={STATE_TONES[state]} dot>
          {stateWords(window)}
        </Pill>
      </span>
      <div className="grow">
        <Link className={rowClasses.name} data-row to="/windows/$id" params={{ id }}>
          {name}
        </Link>
        <div className="muted" style={{ overflowWrap: 'anywhere' }}>
          {what.join(' · ')}
        </div>
        <div className="muted">
          {timeWords(window, now)} · {owner?.name ?? t('the operator')}
          {state !== 'upcoming' && ` · ${caughtWords(window)}`}
        </div>
      </div>
      <span className={rowClasses.time}>
        <EndWindow window={window} />
      </span>
    </article>
  );
}
