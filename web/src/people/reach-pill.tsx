import type { PersonSummary } from '../../../src/people/person-contract.ts';
import { Pill } from '../kit/pill.tsx';

type Reach = Pick<PersonSummary, 'disabled' | 'reachable' | 'dashboard_open'>;

/** Whether a page would arrive. */
export function ReachPill({ disabled, reachable, dashboard_open: open }: Reach) {
  if (disabled) return <Pill tone="none">disabled</Pill>;
  if (reachable)
    return (
      <Pill tone="calm" dot>
        reachable
      </Pill>
    );
  return (
    <Pill tone={open ? 'watch' : 'alarm'} dot>
      {open ? 'only in the dashboard' : 'not reachable'}
    </Pill>
  );
}
