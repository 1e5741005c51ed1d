import { Button } from '@mantine/core';
import { type Swap, swapsApi } from '../../../src/covers/api-contract.ts';
import { send } from '../api/call.ts';
import { Pill } from '../kit/pill.tsx';
import { quoted } from '../kit/quoted.ts';
import { commas, t } from '../language/t.ts';
import { useShiftAct } from './use-shift-act.ts';

const STEPS = [
  ['accept', t('Accept the swap')],
  ['decline', t('Decline')],
  ['withdraw', t('Withdraw it')],
] as const;

/** A proposed swap, and the viewer's answer to it. */
export function SwapCard({ swap, when }: { swap: Swap; when: (at: string) => string }) {
  const act = useShiftAct();
  const { may, given, wanted } = swap;
  return (
    <article className="card pad stack" aria-label={t('Swap')}>
      <div className="row wrap">
        <Pill tone="info" dot>
          {t('swap proposed')}
        </Pill>
        <span className="muted">{commas([...new Set([given.schedule.name, wanted.schedule.name])])}</span>
      </div>
      <ul className="stack tight" style={{ listStyle: 'none', margin: 0, padding: 0 }}>
        <Handover side={given} to={wanted.person.name} when={when} />
        <Handover side={wanted} to={given.person.name} when={when} />
      </ul>
      {swap.note && <p className="muted wordwrap">{quoted(swap.note)}</p>}
      <div className="row wrap" style={{ gap: 8 }}>
        {STEPS.filter(([step]) => may[step]).map(([step, label]) => (
          <Button
            key={step}
            variant="default"
            data-acts={`${step} ${swap.id}`}
            loading={act.isPending && act.variables?.step === step}
            onClick={() => act.mutate({ step, run: () => send(swapsApi[step], { params: { id: swap.id } }) })}
          >
            {label}
          </Button>
        ))}
      </div>
      {may.accept_not && <p className="faint">{may.accept_not}</p>}
    </article>
  );
}

/** One of the two shifts, who would take it, and when it is. */
function Handover({ side, to, when }: { side: Swap['given']; to: string; when: (at: string) => string }) {
  const { person, stage, starts_at, ends_at } = side;
  return (
    <li>
      {t('{who} takes stage {stage} from {from}', { who: to, stage, from: person.name })}
      <br />
      <span className="muted">
        {when(starts_at)} – {when(ends_at)}
      </span>
    </li>
  );
}
