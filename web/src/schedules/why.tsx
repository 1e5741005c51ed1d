import { useQuery } from '@tanstack/react-query';
import type { ShiftReason } from '../../../src/planning/plan-api-contract.ts';
import { inClock } from '../kit/time.ts';
import { t } from '../language/t.ts';
import { reasonQuery } from './queries.ts';

/** Why a shift belongs to its person, what speaks against others, and who could not have it. */
export function Why({ shiftId }: { shiftId: string }) {
  const reason = useQuery(reasonQuery(shiftId)).data?.reason;
  if (!reason) return null;
  return (
    <section className="stack" aria-label={t('Why')}>
      <h2>{t('Why')}</h2>
      <Reason reason={reason} />
    </section>
  );
}

function Reason({ reason }: { reason: ShiftReason }) {
  return (
    <div className="card pad stack" style={{ gap: 8 }}>
      <span>{inClock(reason.sentence)}</span>
      {reason.others.map(({ person, sentence }) => (
        <span key={person.id} className="muted">
          {inClock(sentence)}
        </span>
      ))}
      {reason.refused.map(({ person, sentence }) => (
        <div key={person.id} className="row" style={{ alignItems: 'baseline' }}>
          <span className="grow muted">{inClock(sentence)}</span>
          <span className="faint">{t('not possible')}</span>
        </div>
      ))}
    </div>
  );
}
