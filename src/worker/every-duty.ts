import { followSources, type SourceServices } from '../availability/sources.ts';
import { followHolidays } from '../calendars/holiday-calendars.ts';
import type { Config } from '../config.ts';
import { forgetAhead } from '../covers/forget-ahead.ts';
import { settleDueCovers } from '../covers/settle-due.ts';
import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { writeHandoffNotes } from '../handoffs/note.ts';
import type { Keys } from '../keys/authenticate.ts';
import type { Log } from '../kit/log.ts';
import type { Sealing } from '../kit/sealing.ts';
import { forgetEnds } from '../moments/store.ts';
import { forgetOldNotices } from '../notices/store.ts';
import { forgetInboundAnswers } from '../notifications/answer-store.ts';
import { meansOf } from '../notifications/channels/registry.ts';
import { forgetLostDashboards } from '../notifications/dashboards/presence.ts';
import { releaseDisabledPeople } from '../notifications/disabled.ts';
import { type MessageServices, sendMessages } from '../notifications/notices/send-messages.ts';
import { giveUpClosedDashboards } from '../notifications/outcomes.ts';
import { notifyShadows } from '../pages/shadows.ts';
import { forgetOldSends } from '../people/contact-store.ts';
import { solveDrafts } from '../planning/drafts/solve.ts';
import { extendPlans, replanChanged } from '../planning/extend.ts';
import { createSolver, type Solver } from '../planning/threads/solver.ts';
import type { ChannelProblems } from '../problems/channel-problems.ts';
import type { MethodProblems } from '../problems/method-problems.ts';
import { closeOutdatedProblems } from '../problems/store.ts';
import { forgetOldAnswers } from '../requests/store.ts';
import { announceAhead } from '../schedules/ahead/announce.ts';
import { queueShiftEvents } from '../schedules/ahead/shift-events.ts';
import { forgetOldInvitations } from '../sessions/invitations/invitation-store.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { forgetOldAttempts, forgetOldChallenges } from '../sessions/sign-in-store.ts';
import { forgetOldPasses } from '../sessions/store.ts';
import { endWindows } from '../sources/window-ends.ts';
import { forgetWindows } from '../sources/windows-store.ts';
import { forgetOldCalls, forgetRememberedCalls } from '../webhooks/call-store.ts';
import { announceEndings } from '../webhooks/ending.ts';
import type { WebhookHealth } from '../webhooks/health.ts';
import { forgetFormerTokens } from '../webhooks/store.ts';
import type { WebhookTokens } from '../webhooks/tokens.ts';
import type { Duty } from './duties.ts';
import { retentionDuties } from './retention.ts';
import { nodeIsGone } from './store.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** As long as reports look back by default, and longer than people remember a window. */
const KEEP_WINDOWS_DAYS = 400;

export type DutyServices = {
  db: Database;
  clock: Clock;
  solver: Solver;
  log: Log;
  config: Config;
  keys: Keys;
  sessions: Sessions;
  tokens: WebhookTokens;
  problems: ChannelProblems;
  health: WebhookHealth;
  methodProblems: MethodProblems;
  /** Sends notices and other messages. */
  messages: MessageServices;
  sealing: Sealing;
  /** How calendars of absences and holidays are fetched and read. */
  calendars: SourceServices['calendars'];
  /** Pages for late heartbeats, and resolves the pages of those that called again. */
  checkHeartbeats(): Promise<void>;
  /** Called when covers of an organization changed. */
  coversChanged(organizationId: string): void;
  /** This node's number; 0 while it is not registered. */
  node(): number;
};

/** All periodic work except pages. */
export function everyDuty(services: DutyServices): Duty[] {
  const { db, clock, log, keys, sessions, tokens, problems, health } = services;
  // A separate duty, so that covers do not wait until a plan is solved.
  const repairing = { ...services, solver: createSolver() };
  const once = (run: () => Promise<unknown>) => () => run().then(() => false);
  return [
    { name: 'note which keys were used', everyMs: 10 * SECOND, run: once(() => keys.flushUses()) },
    { name: 'note which sessions were used', everyMs: 10 * SECOND, run: once(() => sessions.flushUses()) },
    { name: 'note which webhooks were used', everyMs: 10 * SECOND, run: once(() => tokens.flushUses()) },
    { name: 'write down problems with providers', everyMs: 2 * SECOND, run: once(() => problems.flush()) },
    { name: 'write down problems with webhooks', everyMs: 2 * SECOND, run: once(() => health.flush()) },
    {
      name: 'write down problems with contact methods',
      everyMs: 2 * SECOND,
      run: once(() => services.methodProblems.flush()),
    },
    { name: 'close outdated problems', everyMs: MINUTE, run: once(() => closeOutdatedProblems(db, clock)) },
    { name: 'send notices and messages', everyMs: SECOND, run: () => sendMessages(services.messages) },
    { name: 'queue events of shifts', everyMs: 5 * SECOND, run: () => queueShiftEvents(services) },
    {
      name: 'send events to programs',
      everyMs: SECOND,
      run: () => sendMessages(services.messages, 'events'),
    },
    {
      name: 'forget old codes',
      everyMs: 10 * MINUTE,
      run: async () => (await forgetOldSends(db, await clock.now(db), 1_000)) >= 1_000,
    },
    {
      name: 'forget old notices',
      everyMs: 10 * MINUTE,
      run: async () => (await forgetOldNotices(db, await clock.now(db), 1_000)) >= 1_000,
    },
    {
      name: 'forget dashboards of lost nodes',
      everyMs: SECOND,
      run: once(() => forgetLostDashboards(db, services.node(), nodeIsGone)),
    },
    {
      name: 'give up dashboards that were closed',
      everyMs: 2 * SECOND,
      run: once(() => giveUpClosedDashboards(db, clock)),
    },
    {
      name: 'take disabled people off pages',
      everyMs: 2 * SECOND,
      run: once(() => releaseDisabledPeople(services)),
    },
    { name: 'check heartbeats', everyMs: SECOND, run: once(() => services.checkHeartbeats()) },
    {
      name: 'forget old sessions',
      everyMs: 10 * MINUTE,
      run: async () => (await forgetOldPasses(db, clock, 1_000)) === 1_000,
    },
    {
      name: 'forget old invitations',
      everyMs: 10 * MINUTE,
      run: async () => (await forgetOldInvitations(db, await clock.now(db), 1_000)) === 1_000,
    },
    {
      name: 'forget old challenges',
      everyMs: 10 * MINUTE,
      run: async () => (await forgetOldChallenges(db, clock, 1_000)) === 1_000,
    },
    {
      name: 'forget old tries to sign in',
      everyMs: 10 * MINUTE,
      run: async () => (await forgetOldAttempts(db, clock, 1_000)) === 1_000,
    },
    {
      name: 'forget old webhook calls',
      everyMs: 10 * MINUTE,
      run: async () => (await forgetOldCalls(db, clock, services.config.retentionDays, 1_000)) === 1_000,
    },
    {
      name: 'forget old deliveries of webhooks',
      everyMs: 10 * MINUTE,
      run: async () => (await forgetRememberedCalls(db, clock, 1_000)) === 1_000,
    },
    {
      name: 'forget old answers to pages',
      everyMs: 10 * MINUTE,
      run: async () => (await forgetInboundAnswers(db, clock, 1_000)) === 1_000,
    },
    {
      name: 'forget old ends of moments',
      everyMs: 10 * MINUTE,
      run: async () => (await forgetEnds(db, clock, 1_000)) === 1_000,
    },
    {
      name: 'forget old tokens of webhooks',
      everyMs: 10 * MINUTE,
      run: async () => (await forgetFormerTokens(db, clock, 1_000)) === 1_000,
    },
    { name: 'end maintenance windows', everyMs: 5 * SECOND, run: () => endWindows(services) },
    {
      name: 'forget old maintenance windows',
      everyMs: 10 * MINUTE,
      run: async () => {
        const before = (await clock.now(db)).subtract({ hours: KEEP_WINDOWS_DAYS * 24 });
        return (await forgetWindows(db, before, 1_000)) >= 1_000;
      },
    },
    { name: 'notify shadows of pages', everyMs: 5 * SECOND, run: () => notifyShadows(services) },
    { name: 'write the notes of hand-offs', everyMs: 10 * SECOND, run: () => writeHandoffNotes(services) },
    {
      name: 'follow calendars of absences',
      everyMs: 30 * SECOND,
      run: () => followSources(services, log),
    },
    {
      name: 'follow lists of holidays',
      everyMs: MINUTE,
      run: () => followHolidays(services, log),
    },
    {
      name: 'replan after changes',
      everyMs: 10 * SECOND,
      run: once(() => replanChanged(services, log)),
    },
    {
      name: 'forget old answers',
      everyMs: 10 * MINUTE,
      run: async () => (await forgetOldAnswers(db, clock, 1_000)) === 1_000,
    },
    {
      name: 'settle covers after absences and changes',
      everyMs: 2 * SECOND,
      run: () => settleDueCovers(repairing, log, services.coversChanged),
    },
    {
      name: 'announce gaps, covers and shifts ahead',
      everyMs: MINUTE,
      run: () =>
        announceAhead(services, meansOf(services.messages.channels, services.config.allowPrivateWebhooks)),
    },
    {
      name: 'announce ends of webhooks and sources',
      everyMs: MINUTE,
      run: once(() => announceEndings(services)),
    },
    {
      name: 'forget old announcements and swaps',
      everyMs: 10 * MINUTE,
      run: () => forgetAhead(services),
    },
    {
      name: 'solve drafts of plans',
      everyMs: SECOND,
      run: () => solveDrafts(services, log, services.coversChanged),
    },
    ...retentionDuties({ db, clock, keep: services.config.retention }),
    { name: 'plan schedules ahead', everyMs: 10 * MINUTE, run: once(() => extendPlans(services, log)) },
  ];
}
