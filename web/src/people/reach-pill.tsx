import type { PersonSummary } from '../../../src/people/person-contract.ts';
import { Pill } from '../kit/pill.tsx';

type Reach = Pick<PersonSummary, 'disabled' | 'reachable_by'>;

/** Whether a page would reach the person. */
export function ReachPill({ disabled, reachable_by: by }: Reach) {
  if (disabled) return <Pill tone="none">disabled</Pill>;
  if (by === 'contact_method')
    return (
      <Pill tone="calm" dot>
        reachable
      </Pill>
    );
  return (
    <Pill tone={by ? 'watch' : 'alarm'} dot>
      {by ? 'only in the dashboard' : 'not reachable'}
    </Pill>
  );
}
