import { Button } from '@mantine/core';
import { type Swap, swapsApi } from '../../../src/covers/api-contract.ts';
import { send } from '../api/call.ts';
import { Pill } from '../kit/pill.tsx';
import { quoted } from '../kit/quoted.ts';
import { t } from '../language/t.ts';
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
        <span className="muted">
          {t('{given} for {wanted}', { given: when(given.starts_at), wanted: when(wanted.starts_at) })}
        </span>
      </div>
      <p>{swap.sentence}</p>
      {swap.note && <p className="muted wordwrap">{quoted(swap.note)}</p>}
      <div className="row wrap" style={{ gap: 8 }}>
        {STEPS.filter(([step]) => may[step]).map(([step, label]) => (
          <Button
            key={step}
            variant="default"
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
