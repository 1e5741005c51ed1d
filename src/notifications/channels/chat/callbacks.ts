import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { Fault } from '../../../kit/fault.ts';
import { privateSentence } from '../../../kit/private-addresses.ts';
import { sha256 } from '../../../kit/sealing.ts';
import { inLanguage } from '../../../language/ambient.ts';
import { t } from '../../../language/contract.ts';
import { escalatedText } from '../../../pages/escalated.ts';
import { acceptForms, formOf } from '../../inbound/form-body.ts';
import type { AcknowledgeResult, EscalateResult, InboundPorts } from '../../inbound/ports.ts';
import type { Notification } from '../channel.ts';
import { postOutside } from '../http-call.ts';
import type { CommonSettings } from '../settings.ts';
import { answeredChatMessage, type Links } from './message.ts';
import type { SlackSettings } from './settings.ts';
import { isSlackSignature } from './signature.ts';

/** Slack shows an error to the person who clicked if the answer takes 3 s. */
const ANSWER_MS = 2_500;
const REPLACE_MS = 5_000;

/**
 * Handles clicks on the buttons of our chat messages. Every request must have Slack's signature. While Slack is not set up,
 * the route does not exist. Tests pass the time as `now`.
 */
export function slackCallbacks(
  settings: SlackSettings & Pick<CommonSettings, 'allowPrivateWebhooks'>,
  ports: InboundPorts,
  now: () => Temporal.Instant = Temporal.Now.instant,
): FastifyPluginAsync {
  return async (app) => {
    acceptForms(app);
    const running = new Set<Promise<void>>();
    app.addHook('onClose', async () => void (await Promise.all(running)));

    app.addHook('onRequest', async () => {
      if (!settings.slack)
        throw new Fault('not_found', [{ field: 'path', message: 'does not exist until Slack is set up' }]);
    });
    app.addHook('preHandler', async (request) => {
      const { slack } = settings;
      if (slack && isSlackSignature(signatureOf(request), slack.signingSecret, now())) return;
      throw new Fault('unauthorized', [
        {
          field: 'X-Slack-Signature',
          message: 'is missing, wrong or old; check SLACK_SIGNING_SECRET and the clock',
        },
      ]);
    });

    // Only Slack calls it, so it is not part of the public API.
    app.post('/callbacks/slack/actions', { schema: { hide: true } }, async (request, reply) => {
      const click = readClick(formOf(request.body).fields.payload ?? '');
      if (!click)
        throw new Fault('bad_request', [
          { field: 'payload', message: 'is not the payload that Slack sends for a click' },
        ]);
      const work = answerClick(click, ports, settings.allowPrivateWebhooks).catch((error: unknown) => {
        request.log.error({ err: error }, 'could not respond to a button in chat');
      });
      const tracked = work.finally(() => running.delete(tracked));
      running.add(tracked);
      await atMost(ANSWER_MS, work);
      return reply.code(200).send();
    });
  };
}

function signatureOf(request: FastifyRequest) {
  const header = (name: string) => {
    const value = request.headers[name];
    return typeof value === 'string' ? value : undefined;
  };
  return {
    signature: header('x-slack-signature'),
    timestamp: header('x-slack-request-timestamp'),
    raw: formOf(request.body).raw,
  };
}

type Click = {
  action: 'acknowledge' | 'escalate' | 'other';
  deliveryId: string;
  chatUserId: string;
  /** Slack's id of this click. */
  answerId: string;
  responseUrl: string | null;
};

/** Parses a `block_actions` payload; null for other payloads. Link buttons are returned as `other`. */
function readClick(payload: string): Click | null {
  const body = parse(payload);
  if (body?.type !== 'block_actions' || typeof body.user?.id !== 'string') return null;
  const { action_id: id, value, action_ts: clickedAt } = body.actions?.[0] ?? {};
  const name = [clickedAt, body.trigger_id].find((one) => typeof one === 'string' && one !== '');
  const known = (id === 'acknowledge' || id === 'escalate') && typeof value === 'string';
  return {
    action: known ? id : 'other',
    deliveryId: known ? value : '',
    chatUserId: body.user.id,
    answerId: `slack ${name ?? sha256(payload).toString('hex')} ${id} ${value} ${body.user.id}`,
    responseUrl: typeof body.response_url === 'string' ? body.response_url : null,
  };
}

type Payload = {
  type?: unknown;
  user?: { id?: unknown };
  trigger_id?: unknown;
  actions?: { action_id?: unknown; value?: unknown; action_ts?: unknown }[];
  response_url?: unknown;
};

function parse(text: string): Payload | null {
  try {
    return JSON.parse(text) as Payload | null;
  } catch {
    return null;
  }
}

async function answerClick(click: Click, ports: InboundPorts, allowPrivate: boolean): Promise<void> {
  if (click.action === 'other') return;
  const { deliveryId, chatUserId, answerId } = click;
  const answered = { deliveryId, chatUserId };
  const answer =
    click.action === 'acknowledge'
      ? acknowledgement.bind(null, await ports.acknowledge(answered, 'chat', answerId))
      : escalation.bind(null, await ports.escalate(answered, 'chat', answerId));
  const delivery = await ports.findDelivery(deliveryId);
  // The message is in the chat of the person to whom it was sent, although a colleague may have pressed the button.
  await inLanguage(await ports.languageOf({ deliveryId }), () =>
    replaceMessage(click.responseUrl, answer(), delivery?.notification ?? null, allowPrivate),
  );
}

type Answer = { text: string; stillOpen: boolean };

function acknowledgement({ outcome, by }: AcknowledgeResult): Answer {
  const answers: Record<AcknowledgeResult['outcome'], Answer> = {
    acknowledged: {
      text: by ? t('Acknowledged by {who}.', { who: by }) : t('Acknowledged by you.'),
      stillOpen: false,
    },
    already: { text: alreadyAcknowledged(by), stillOpen: false },
    not_open: { text: t('This page is no longer open.'), stillOpen: false },
    choose: { text: t('Several pages are open. Open the dashboard to choose one.'), stillOpen: true },
    unknown: {
      text: t(
        'This chat account is not linked to a person in Tocsin, or the page does not exist; open the page in the dashboard instead.',
      ),
      stillOpen: true,
    },
  };
  return answers[outcome];
}

function alreadyAcknowledged(by?: string | null): string {
  return by ? t('Already acknowledged by {who}.', { who: by }) : t('Already acknowledged.');
}

function escalation(result: EscalateResult): Answer {
  if (result.outcome === 'escalated') return { text: escalatedText(result), stillOpen: true };
  // The person may have been added to the page, and can still answer it.
  if (result.outcome === 'acknowledged') return { text: alreadyAcknowledged(result.by), stillOpen: true };
  const answers: Record<Exclude<EscalateResult['outcome'], 'escalated' | 'acknowledged'>, Answer> = {
    already: { text: t('This page is escalated already.'), stillOpen: true },
    no_stages: {
      text: t('This page is for one person and has no stages. Add people to it, or reassign it.'),
      stillOpen: true,
    },
    not_open: { text: t('This page is no longer open.'), stillOpen: false },
    unknown: {
      text: t(
        'This chat account is not linked to a person in Tocsin, or the page does not exist; open the page in the dashboard instead.',
      ),
      stillOpen: true,
    },
  };
  return answers[result.outcome];
}

/** Updates the message with the result. If the message is unknown, sends the result to the person who clicked. */
async function replaceMessage(
  url: string | null,
  answer: Answer,
  notification: Notification | null,
  allowPrivate: boolean,
): Promise<void> {
  const target = url ? URL.parse(url) : null;
  if (!target) return;
  const body = (links: Links) =>
    notification
      ? { replace_original: true, ...answeredChatMessage(notification, answer.text, answer.stillOpen, links) }
      : { replace_original: false, response_type: 'ephemeral', text: answer.text };
  const post = (links: Links) => {
    const call = {
      url: target,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body(links)),
      signal: AbortSignal.timeout(REPLACE_MS),
      answer: 'remarks' as const,
    };
    return postOutside(call, allowPrivate);
  };
  const first = await post('buttons');
  const isFormRefused = first.kind === 'answer' && first.body.includes('invalid_blocks');
  const result = isFormRefused ? await post('text') : first;
  if (result.kind === 'failure')
    throw new Error(result.forbidden ? privateSentence(result.error) : result.error);
  if (result.status >= 300) throw new Error(`Slack answered ${result.status} to the replaced message.`);
}

async function atMost(ms: number, work: Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([work, promise]);
  clearTimeout(timer);
}
