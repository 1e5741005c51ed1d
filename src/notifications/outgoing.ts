import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import type { Log } from '../kit/log.ts';
import type { Sealing } from '../kit/sealing.ts';
import type { Notifier } from '../pages/notifier.ts';
import type { Courier } from '../people/methods/courier.ts';
import type { ChannelProblems } from '../problems/channel-problems.ts';
import type { MethodProblems } from '../problems/method-problems.ts';
import type { AllClearServices } from './all-clears/send.ts';
import type { OpenDashboards } from './channels/browser/channel.ts';
import type { ChannelName, Outcome } from './channels/channel.ts';
import { buildChannels, type ChannelSettings, type Channels } from './channels/registry.ts';
import { createCourier } from './courier.ts';
import type { MessageServices } from './notices/send-messages.ts';
import { createNotifier } from './notifier.ts';
import type { Outgoing as Sent } from './outcome-store.ts';
import { addressOf, compose, createSender, type Sender } from './sender.ts';

export type OutgoingServices = {
  /** For pages, which have connections of their own. */
  engineDb: Database;
  /** For everything except pages. */
  db: Database;
  clock: Clock;
  log: Log;
  settings: ChannelSettings & { titleMark?: string };
  sealing: Sealing;
  problems: ChannelProblems;
  methodProblems: MethodProblems;
  node(): number;
  /** All-clears were queued on these channels. */
  wakeAllClears(channels: readonly ChannelName[]): void;
  /** Counts the outcome of a notification. */
  onOutcome(channel: ChannelName, outcome: string): void;
};

/** Everything that is sent to people through one set of channels: pages, notices, verification codes and tests. */
export type Outgoing = {
  channels: Channels;
  dashboards: OpenDashboards;
  sender: Sender;
  notifier: Notifier;
  courier: Courier;
  messages: MessageServices;
  allClears: AllClearServices;
  /** Composes the notification of a delivery. */
  compose(outgoing: Parameters<typeof compose>[0]): ReturnType<typeof compose>;
};

/** The address where it stands alone, and not as a part of a word. */
function alone(address: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])${RegExp.escape(address)}(?![\\p{L}\\p{N}])`, 'gu');
}

export function createOutgoing(services: OutgoingServices): Outgoing {
  const { engineDb, db, clock, log, settings, sealing, problems, methodProblems, node } = services;
  const { allowPrivateWebhooks: allowPrivate, titleMark = '' } = settings;
  const { channels, dashboards } = buildChannels(settings);
  // Every organization sees problems of providers, which may repeat the address of a person in their answer.
  const onProblem: MessageServices['onProblem'] = ({ channel, address }, problem, error) =>
    problem
      ? problems.failed(channel, problem, error.replaceAll(alone(address), '…'))
      : problems.worked(channel);
  const sender = createSender({
    db: engineDb,
    clock,
    log,
    channels,
    sealing,
    titleMark,
    node,
    onProblem,
    get publicUrl() {
      return settings.publicUrl;
    },
    onOutcome(sent, outcome) {
      services.onOutcome(sent.channel, outcome.kind);
      noteMethod(methodProblems, sent, outcome);
    },
  });
  const notifier = createNotifier({
    clock,
    node,
    dispatch: (ids, read) => sender.dispatch(ids, read),
    room: () => sender.room(),
    fullFor: (...turn) => sender.fullFor(...turn),
    wakeAllClears: (queued) => services.wakeAllClears(queued),
  });
  const composed: Outgoing['compose'] = (sent) =>
    compose(sent, { sealing, titleMark, publicUrl: settings.publicUrl });
  const pagesUnderWay = () => sender.busy;
  return {
    channels,
    dashboards,
    sender,
    notifier,
    courier: createCourier({
      channels,
      sealing,
      allowPrivate,
      log,
      worked: (methodId, channel) => methodProblems.worked({ methodId, channel }),
      get publicUrl() {
        return settings.publicUrl;
      },
    }),
    messages: {
      db,
      clock,
      log,
      channels,
      sealing,
      onProblem,
      get publicUrl() {
        return settings.publicUrl;
      },
      pagesUnderWay,
    },
    allClears: {
      ...{ db: engineDb, clock, log, channels, onProblem, pagesUnderWay, compose: composed },
      addressOf: (sent) => addressOf(sent, sealing),
      get publicUrl() {
        return settings.publicUrl;
      },
    },
    compose: composed,
  };
}

/**
 * A failure with a `problem` concerns the provider and is listed for its channel. Any other failure concerns the
 * contact method.
 */
function noteMethod(problems: MethodProblems, sent: Sent, outcome: Outcome): void {
  const { organizationId, methodId, channel } = sent;
  if (methodId === null) return;
  if (outcome.kind === 'accepted') problems.worked({ methodId, channel });
  else if (!outcome.problem) problems.failed({ organizationId, methodId, channel }, outcome.error);
}
