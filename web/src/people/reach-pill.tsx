import type { PersonSummary } from '../../../src/people/person-contract.ts';
import { Pill } from '../kit/pill.tsx';
import { t } from '../language/t.ts';

type Reach = Pick<PersonSummary, 'disabled' | 'reachable_by'>;

/** Whether a page would reach the person. */
export function ReachPill({ disabled, reachable_by: by }: Reach) {
  if (disabled) return <Pill tone="none">{t('disabled')}</Pill>;
  if (by === 'contact_method')
    return (
      <Pill tone="calm" dot>
        {t('reachable')}
      </Pill>
    );
  return (
    <Pill tone={by ? 'watch' : 'alarm'} dot>
      {by ? t('only in the dashboard') : t('not reachable')}
    </Pill>
  );
}
