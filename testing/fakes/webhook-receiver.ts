import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { type Fake, fakeOver } from './fake.ts';
import { Inbox } from './inbox.ts';
import { type Answer, type FakeRequest, ScriptedServer } from './scripted-server.ts';

/** The body of a webhook notification, as documented in the contract. */
type WebhookBody = {
  type: string;
  page_id: string;
  delivery_id: string;
  title: string;
  text: string;
  urgency: string;
  source_url: string | null;
  team: string | null;
  stage: number | null;
  round: number;
  repeat: boolean;
  bundled: { page_id: string; title: string }[];
  acknowledge_url: string;
  page_url: string;
  sent_at: string;
  /** Only of all-clears. */
  resolved_by?: string | null;
  resolved_at?: string;
};

export type ReceivedWebhook = {
  /** `webhook-id`: the same for all attempts of one delivery. */
  id: string;
  /** Path and query of the request, which tell recipients apart. */
  path: string;
  headers: IncomingHttpHeaders;
  body: WebhookBody;
  at: Date;
};

export type WebhookReceiver = Fake & {
  /** The URL for a contact method of type webhook; any path below it works as well. */
  url: string;
  /**
   * Standard Webhooks secret; a request with an invalid signature is unexpected. Null: signatures are not checked. May
   * be changed.
   */
  secret: string | null;
  inbox: Inbox<ReceivedWebhook>;
  /** All-clears, which say that a page is over. Most stories about page sources need not expect them. */
  over: ReceivedWebhook[];
  received: ReceivedWebhook[];
  next(withinMs?: number): Promise<ReceivedWebhook>;
  expect(matches: (webhook: ReceivedWebhook) => boolean, withinMs?: number): Promise<ReceivedWebhook>;
};

/** A secret in the format of webhook contact methods. */
export function webhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/**
 * An HTTP endpoint that receives pages, answers 204, and checks the format of each and, with a secret, its signature.
 */
export async function webhookReceiver(
  options: {
    secret?: string | null;
    port?: number;
    /** The default answer to requests for a path; 204 if it is left out. */
    answerFor?(path: string): Answer;
  } = {},
): Promise<WebhookReceiver> {
  let secret = options.secret ?? null;
  const inbox = new Inbox<ReceivedWebhook>('webhook');
  const over: ReceivedWebhook[] = [];
  const server = await ScriptedServer.start((request, unexpected) => {
    for (const problem of problemsOf(request, secret)) unexpected(problem);
    const body = parse(request.raw);
    if (body) {
      const id = String(request.headers['webhook-id'] ?? '');
      const received = { id, path: request.path, headers: request.headers, body, at: new Date() };
      if (body.type === 'page.resolved') over.push(received);
      else inbox.add(received);
    }
    return options.answerFor?.(request.path) ?? { status: 204 };
  }, options.port);
  return {
    ...fakeOver('The webhook receiver', server, [inbox]),
    url: `${server.origin}/`,
    get secret() {
      return secret;
    },
    set secret(next) {
      secret = next;
    },
    inbox,
    over,
    received: inbox.received,
    next: (withinMs) => inbox.next(withinMs),
    expect: (matches, withinMs) => inbox.expect(matches, withinMs),
  };
}

const FIELDS = [
  'type',
  'page_id',
  'delivery_id',
  'title',
  'text',
  'urgency',
  'source_url',
  'team',
  'stage',
  'round',
  'repeat',
  'bundled',
  'acknowledge_url',
  'page_url',
  'sent_at',
];

function problemsOf(request: FakeRequest, secret: string | null): string[] {
  const problems: string[] = [];
  if (request.method !== 'POST') problems.push('only POST is expected');
  if (request.headers['content-type'] !== 'application/json')
    problems.push('the content type is not application/json');
  const body = parse(request.raw);
  if (!body) return [...problems, `the body is not a JSON object: ${request.raw.slice(0, 200)}`];
  const missing = FIELDS.filter((field) => !(field in body));
  if (missing.length > 0) problems.push(`fields are missing: ${missing.join(', ')}`);
  if (request.headers['webhook-id'] !== body.delivery_id) problems.push('webhook-id is not the delivery id');
  const wrong = secret ? signatureProblem(request, secret) : null;
  return wrong ? [...problems, wrong] : problems;
}

function signatureProblem(request: FakeRequest, secret: string): string | null {
  try {
    // Stories move the clock that signatures use, so only the signature is checked here, not its age.
    const at = new Date(Number(request.headers['webhook-timestamp']) * 1_000);
    const right = new Webhook(secret).sign(String(request.headers['webhook-id']), at, request.raw);
    return request.headers['webhook-signature'] === right ? null : 'the signature does not verify';
  } catch (error) {
    return `the signature does not verify: ${(error as Error).message}`;
  }
}

function parse(raw: string): WebhookBody | null {
  try {
    const body: unknown = JSON.parse(raw);
    return typeof body === 'object' && body !== null ? (body as WebhookBody) : null;
  } catch {
    return null;
  }
}
