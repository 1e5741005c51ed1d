import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type Cover, coversApi } from '../../../src/covers/api-contract.ts';
import { send } from '../api/call.ts';
import { Pill } from '../kit/pill.tsx';
import { quoted } from '../kit/quoted.ts';
import { inClock } from '../kit/time.ts';
import { t } from '../language/t.ts';
import { useShiftAct } from './use-shift-act.ts';

const STEPS = [
  ['take', t('Take it')],
  ['apply', t('Accept the proposal')],
  ['decline', t('Not me')],
  ['withdraw', t('No cover needed')],
] as const;

function answer(step: (typeof STEPS)[number][0], id: string) {
  if (step === 'take') return send(coversApi.take, { params: { id }, body: {} });
  return send(coversApi[step], { params: { id } });
}

/** A cover: why it is needed, the proposed repair, and what the viewer can do. */
export function CoverCard({
  cover,
  when,
  linked = false,
}: {
  cover: Cover;
  when: (at: string) => string;
  /** The card is shown outside its schedule and links to it. */
  linked?: boolean;
}) {
  const act = useShiftAct();
  const { may, proposal } = cover;
  const steps = STEPS.filter(([step]) => may[step]);
  return (
    <article className="card pad stack" aria-label={t('Cover')}>
      <div className="row wrap">
        <Pill tone="watch" dot>
          {t('cover wanted')}
        </Pill>
        <span className="muted">
          {when(cover.starts_at)} – {when(cover.ends_at)}
        </span>
        {linked && (
          <Link className="link" to="/schedules/$id" params={{ id: cover.schedule.id }}>
            {cover.schedule.name}
          </Link>
        )}
      </div>
      <p>{needOf(cover)}</p>
      <p className="muted">{proposal ? inClock(proposal.sentence) : t('Nobody is proposed yet.')}</p>
      {cover.note && <p className="muted wordwrap">{quoted(cover.note)}</p>}
      {steps.length > 0 && (
        <div className="row wrap" style={{ gap: 8 }}>
          {steps.map(([step, label], index) => (
            <Button
              key={step}
              variant={index === 0 && step !== 'withdraw' && !linked ? 'filled' : 'default'}
              data-acts={`${step} ${cover.id}`}
              loading={act.isPending && act.variables?.step === step}
              onClick={() => act.mutate({ step, run: () => answer(step, cover.id) })}
            >
              {label}
            </Button>
          ))}
        </div>
      )}
      {!may.take && may.take_not && <p className="faint">{may.take_not}</p>}
    </article>
  );
}

/** Why somebody is needed; the card shows when, in the viewer's zone. */
function needOf({ cause, person, stage }: Cover): string {
  const values = { who: person.name, stage };
  return cause === 'absence'
    ? t('{who} is away in stage {stage}.', values)
    : t('{who} needs a replacement in stage {stage}.', values);
}
