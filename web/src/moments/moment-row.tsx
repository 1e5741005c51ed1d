import { Link } from '@tanstack/react-router';
import type { MomentSummary } from '../../../src/moments/api-contract.ts';
import { Pill } from '../kit/pill.tsx';
import { SelectRow } from '../kit/selection.tsx';
import { useNow } from '../kit/use-now.ts';
import { When } from '../kit/when.tsx';
import classes from './moment-row.module.css';
import { MOMENT_TONES, momentStateName, momentWords } from './words.ts';

export function MomentRow({ moment }: { moment: MomentSummary }) {
  const now = useNow(60_000);
  return (
    <article className={`opens ${classes.row}`}>
      <SelectRow id={moment.id} name={moment.name} />
      <span className={classes.state}>
        <Pill tone={MOMENT_TONES[moment.state]} dot>
          {momentStateName(moment.state)}
        </Pill>
      </span>
      <div className="grow">
        <Link className={classes.name} data-row to="/moments/$id" params={{ id: moment.id }} preload={false}>
          {moment.name}
        </Link>
        <div className="muted">{momentWords(moment)}</div>
      </div>
      <When at={moment.occurred_at} now={now} className={`faint ${classes.time}`} />
    </article>
  );
}
