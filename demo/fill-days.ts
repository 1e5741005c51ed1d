import type { Acting } from '../src/covers/acting.ts';
import { offerCover } from '../src/covers/offer.ts';
import { addOverride } from '../src/covers/override.ts';
import { liveCovers } from '../src/covers/store.ts';
import { proposeSwap } from '../src/covers/swap.ts';
import { applyCover } from '../src/covers/take.ts';
import type { MovableClock } from '../src/db/clock.ts';
import type { Tx } from '../src/db/database.ts';
import { Fault } from '../src/kit/fault.ts';
import type { Sealing } from '../src/kit/sealing.ts';
import { newId } from '../src/kit/typeid.ts';
import { stored } from '../src/language/contract.ts';
import { UNREACHABLE } from '../src/notifications/channels/chat/slack-call.ts';
import { insertRefusedPage } from '../src/pages/read-store.ts';
import type { Role } from '../src/people/contract.ts';
import { saveTeamMember } from '../src/people/team-store.ts';
import { insertDraft } from '../src/planning/store.ts';
import { closeProblems, noteProblem } from '../src/problems/store.ts';
import { invite } from '../src/sessions/invitations/inviting.ts';
import { fixOf, webhookSubject } from '../src/webhooks/health.ts';
import type { ExampleShift } from './example-store.ts';
import { OWNER, PEOPLE, TEAMS } from './people.ts';
import type { Scene } from './rota.ts';
import { teamIdOf, userIdOf } from './scene.ts';

/** Recent actions on teams and shifts, through the same functions as the dashboard. `clock` stands at now. */
export async function fillDays(tx: Tx, clock: MovableClock, sealing: Sealing, scene: Scene): Promise<void> {
  const at = await clock.now(tx);
  const acting = (handle: string): Acting => ({
    tx,
    at,
    viewer: {
      organizationId: scene.organizationId,
      userId: userIdOf(scene, handle),
      role: PEOPLE.find((person) => person.handle === handle)?.role ?? ('member' satisfies Role),
    },
  });
  for (const { slug, manager } of TEAMS)
    await saveTeamMember(tx, at, {
      organizationId: scene.organizationId,
      teamId: teamIdOf(scene, slug),
      userId: userIdOf(scene, manager),
      role: 'manager',
    });
  await decideCovers(scene, acting, at);
  await askForSwap(scene, acting);
  await putOnCall(scene, acting);
  await beginDraft(tx, at, scene);
  await invite(
    tx,
    at,
    acting('jonas').viewer,
    { email: 'ruth@example.com', name: 'Ruth Castellan', role: 'member', teams: [teamIdOf(scene, 'data')] },
    { sealing, publicUrl: '', emails: false },
  );
  await refusePages(tx, clock, scene);
}

type As = (handle: string) => Acting;

/** Decides one cover, and proposes another one to the owner of the example. */
async function decideCovers(scene: Scene, acting: As, at: Temporal.Instant): Promise<void> {
  const { tx } = acting(OWNER);
  const idOf = (name: string) => scene.shifts.find(({ schedule }) => schedule === name)?.scheduleId ?? '';
  for (const { id } of await liveCovers(tx, idOf('Payments'), at))
    await unlessRefused(() => applyCover(acting('aisha'), id));
  for (const { id } of await liveCovers(tx, idOf('Platform'), at))
    await unlessRefused(() => offerCover(acting('jonas'), id, userIdOf(scene, OWNER)));
}

/** Somebody proposes a swap to the owner of the example. */
async function askForSwap(scene: Scene, acting: As): Promise<void> {
  const soon = scene.now.add({ hours: 24 * 28 });
  const coming = shiftsToCome(scene, 'Platform').filter(
    ({ from }) => Temporal.Instant.compare(from, soon) > 0,
  );
  const wanted = coming.filter(({ handle }) => handle === OWNER);
  for (const mine of wanted)
    for (const given of coming.filter(({ stage, handle }) => stage === mine.stage && handle !== OWNER)) {
      const note = 'My sister visits in that week. Would you?';
      if (await unlessRefused(() => proposeSwap(acting(given.handle), given.id, { with: mine.id, note })))
        return;
    }
}

/** A colleague takes over for an afternoon. */
async function putOnCall(scene: Scene, acting: As): Promise<void> {
  const shift = shiftsToCome(scene, 'Payments')[0];
  if (!shift) return;
  const from = shift.from.toZonedDateTimeISO('Europe/London').add({ days: 1 }).with({ hour: 14 });
  for (const handle of ['oliver', 'callum', 'femi'].filter((one) => one !== shift.handle)) {
    const body = {
      stage: shift.stage,
      user: userIdOf(scene, handle),
      starts_at: from.toInstant().toString(),
      ends_at: from.add({ hours: 4 }).toInstant().toString(),
    };
    if (await unlessRefused(() => addOverride(acting('aisha'), shift.scheduleId, body))) return;
  }
}

/** A worker solves the draft once the service runs. */
async function beginDraft(tx: Tx, at: Temporal.Instant, scene: Scene): Promise<void> {
  const coming = shiftsToCome(scene, 'Payments');
  const scheduleId = coming[0]?.scheduleId;
  const endsAt = coming.at(-1)?.to;
  if (!scheduleId || !endsAt) return;
  const createdBy = userIdOf(scene, 'aisha');
  const startsAt = at.add({ hours: 24 * 14 });
  await insertDraft(tx, at, {
    organizationId: scene.organizationId,
    scheduleId,
    freedom: 'fresh',
    startsAt,
    endsAt,
    createdBy,
  });
}

async function refusePages(tx: Tx, clock: MovableClock, scene: Scene): Promise<void> {
  const { organizationId } = scene;
  await insertRefusedPage(tx, clock, {
    id: newId('refused_page'),
    organizationId,
    userId: userIdOf(scene, 'tomasz'),
    kind: 'page.team',
    body: { recipient: 'plattform', title: 'Deploy of labels failed', text: 'Step 4 of 9, see the log.' },
    details: [
      {
        field: 'recipient',
        message: stored(
          "names no team: there is none with the slug {slug}; give a team's slug from its settings page",
          {
            slug: '"plattform"',
          },
        ),
      },
    ],
  });
}

/** A sender whose calls have been unreadable since it was changed, and a channel that works again. Moves the clock. */
export async function fillProblems(
  tx: Tx,
  clock: MovableClock,
  scene: Scene,
  webhookId: string,
): Promise<void> {
  const { organizationId, now } = scene;
  const gone = { organizationId, subject: 'channel:chat', ...UNREACHABLE, count: 9 };
  await clock.travelTo(tx, now.subtract({ hours: 24 * 12 }));
  await noteProblem(tx, clock, {
    ...gone,
    message: stored('Slack answered {status}.', { status: 503 }),
  });
  await clock.travelTo(tx, now.subtract({ hours: 24 * 12 - 1 }));
  await closeProblems(tx, clock, [gone.subject]);
  for (const [hours, count] of [
    [4, 10],
    [0, 2],
  ] as const) {
    await clock.travelTo(tx, now.subtract({ hours }));
    await noteProblem(tx, clock, {
      organizationId,
      subject: webhookSubject(webhookId),
      code: 'calls',
      count,
      message:
        'type is "warning", which is not among the allowed values; give one of alert, incident, near-miss, page.',
      fix: fixOf('calls', webhookId),
    });
  }
}

function shiftsToCome({ shifts, now }: Scene, schedule: string): ExampleShift[] {
  return shifts.filter(
    (shift) =>
      shift.schedule === schedule && Temporal.Instant.compare(shift.from, now.add({ hours: 48 })) > 0,
  );
}

/** Whether the action was possible; actions that the rules refuse are left out of the example. */
async function unlessRefused(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (error instanceof Fault) return false;
    throw error;
  }
}
