import { readConfig } from '../../config.ts';
import { readSealing } from '../../installation/secrets.ts';
import { readSavedList, SavedListFault, savedListPath } from '../../schedules/saved/file.ts';
import type { SavedList } from '../../schedules/saved/list.ts';
import { Refusal } from '../refusal.ts';
import type { OnCallEntry } from '../remote/schedules.ts';
import type { Session } from '../session.ts';

/** A shift of the saved list, with the names that it is listed by. */
export type SavedEntry = OnCallEntry & { schedule: string; team: string; organization: string };
/** A backstop has no times: it is notified when no stage answers. */
export type SavedBackstop = Pick<SavedEntry, 'schedule' | 'team' | 'organization' | 'user'>;
export type SavedAnswer = {
  /** What the list is and how old it is, as sentences. */
  note: string;
  /** When it was saved, ISO 8601 in UTC. */
  savedAt: string;
  /** There is more than one organization in it. */
  several: boolean;
  entries: SavedEntry[];
  backstops: SavedBackstop[];
};

/**
 * Who is on call at a time, from the list in DATA_DIR. `schedule`: a name or id; null for all.
 * @throws Refusal when there is no list, or it does not know the schedule or the time
 */
export async function savedOnCall(
  { env }: Session,
  schedule: string | null,
  at: Temporal.Instant,
): Promise<SavedAnswer> {
  const { path, list } = await readList(env);
  if (
    Temporal.Instant.compare(at, Temporal.Instant.from(list.until)) >= 0 ||
    Temporal.Instant.compare(at, Temporal.Instant.from(list.saved_at)) < 0
  )
    throw new Refusal(
      `The saved list reaches from ${list.saved_at} to ${list.until}; ask for a time in between, or start the database for others.`,
    );
  const found = list.organizations.flatMap((organization) =>
    organization.schedules
      .filter(({ id, name }) => schedule === null || id === schedule || sameName(name, schedule))
      .map((one) => ({ ...one, organization: organization.name })),
  );
  if (schedule !== null && found.length === 0)
    throw new Refusal(
      `The list in ${path} has no enabled schedule ${JSON.stringify(schedule)}; it has ${namesIn(list)}.`,
    );
  const named = found.map(({ name, team, organization, ...rest }) => ({
    ...rest,
    names: { schedule: name, team, organization },
  }));
  return {
    note: `This is the list that the server saved in ${path} ${ageText(list)}.${shortenedText(list)}`,
    savedAt: list.saved_at,
    several: list.organizations.length > 1,
    entries: named.flatMap(({ oncalls, names }) =>
      oncalls.filter((one) => contains(one, at)).map((one) => ({ ...one, ...names })),
    ),
    backstops: named.flatMap(({ backstop, names }) => (backstop ? [{ ...names, user: backstop }] : [])),
  };
}

async function readList(env: NodeJS.ProcessEnv): Promise<{ path: string; list: SavedList }> {
  const config = readConfig(env);
  const path = savedListPath(config.dataDir);
  const sealing = await readSealing(config, null);
  if (!sealing)
    throw new Refusal(
      `The secret key of ${path} is missing; set SECRET_KEY to the value that the server has, or DATA_DIR to its directory.`,
    );
  const list = await readSavedList(config.dataDir, sealing).catch((error: unknown) => {
    throw error instanceof SavedListFault ? new Refusal(`${error.message}.`) : error;
  });
  if (list) return { path, list };
  throw new Refusal(
    `There is no saved on-call list in ${config.dataDir}; set DATA_DIR to the directory of the server, which saves the list every minute.`,
  );
}

function sameName(name: string, given: string): boolean {
  return name.toLowerCase() === given.toLowerCase();
}

function contains({ start_time, end_time }: OnCallEntry, at: Temporal.Instant): boolean {
  return (
    Temporal.Instant.compare(Temporal.Instant.from(start_time), at) <= 0 &&
    Temporal.Instant.compare(at, Temporal.Instant.from(end_time)) < 0
  );
}

const NAMES_SHOWN = 20;

function namesIn({ organizations }: SavedList): string {
  const names = organizations.flatMap(({ schedules }) => schedules.map(({ name }) => name));
  if (names.length === 0) return 'none';
  const more = names.length > NAMES_SHOWN ? ` and ${names.length - NAMES_SHOWN} more` : '';
  return names.slice(0, NAMES_SHOWN).join(', ') + more;
}

/** `at 2026-11-23T08:41:02Z, 3 minutes ago` */
function ageText({ saved_at }: SavedList): string {
  const at = Temporal.Instant.from(saved_at);
  const minutes = Math.max(0, Math.floor((Date.now() - at.epochMilliseconds) / 60_000));
  const hours = Math.floor(minutes / 60);
  const [count, unit] =
    hours >= 48 ? [Math.floor(hours / 24), 'day'] : hours >= 2 ? [hours, 'hour'] : [minutes, 'minute'];
  return `at ${at.toString({ smallestUnit: 'second' })}, ${count} ${unit}${count === 1 ? '' : 's'} ago`;
}

function shortenedText({ shortened, until }: SavedList): string {
  return shortened ? ` It was too large, so it ends at ${until} and may lack schedules.` : '';
}
