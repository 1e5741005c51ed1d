import type { LifeboatState } from '../../lifeboat/contract.ts';
import { type Finding, fine, note, problem } from './finding.ts';

export type LifeboatFacts = {
  host: string;
  state: LifeboatState;
  /** Null: no copy was made yet. */
  copyAgeSeconds: number | null;
  seenSecondsAgo: number;
};

const DAY_SECONDS = 24 * 60 * 60;
/** A node writes its row every second. */
const SILENT_SECONDS = 60;

/** Whether the lifeboats could take pages, and whether pages wait in one that does not run. */
export function lifeboatFindings(lifeboats: readonly LifeboatFacts[]): Finding[] {
  return lifeboats.flatMap((lifeboat) => findingOf(lifeboat) ?? []);
}

function findingOf({ host, state, copyAgeSeconds, seenSecondsAgo }: LifeboatFacts): Finding | null {
  const runs = seenSecondsAgo < SILENT_SECONDS;
  if (!runs)
    return state === 'ashore'
      ? null
      : problem(
          'server',
          `the lifeboat of ${host} was last seen ${state}, and may hold pages`,
          'start this node again, with the same DATA_DIR',
        );
  const fix = 'see the log of this node for why the configuration cannot be copied';
  if (copyAgeSeconds === null)
    return note('server', `the lifeboat of ${host} has no copy of the configuration yet`, fix);
  if (copyAgeSeconds > DAY_SECONDS)
    return problem('server', `the lifeboat of ${host} has a copy that is older than a day`, fix);
  const copy = `with a copy from ${Math.round(copyAgeSeconds)} s ago`;
  if (state === 'ashore') return fine('server', `the lifeboat of ${host} is ashore, ${copy}`);
  return note(
    'server',
    state === 'afloat'
      ? `the lifeboat of ${host} is afloat, ${copy}: it has accepted pages that are not in this database yet`
      : `the lifeboat of ${host} is landing: its pages move to this database`,
    'wait until it has landed, seconds after this database accepts writes; until then, pages may be missing here',
  );
}
