import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { NotConnected } from '../db/away.ts';
import { languageOfBrowser } from '../kit/browser-language.ts';
import { isOpenedByPerson } from '../kit/opened-by-person.ts';
import { escapeHtml, headersWithScript, plainPage, reloadAfter } from '../kit/plain-page.ts';
import { inLanguage } from '../language/ambient.ts';
import { locale, t } from '../language/contract.ts';

/** Seconds until the link is retried automatically. */
const AGAIN_AFTER = 5;
/** Automatic retries of a pressed button, for five minutes. After that, the person has to press again. */
const MOST_TRIES = 60;

const SEND_AGAIN = `setTimeout(function () { document.forms[0].submit() }, ${AGAIN_AFTER * 1_000})`;

/**
 * The page of an acknowledge link while the database is away, with status 503. An opened link is reloaded. A pressed
 * button is sent again with the same answer, which counts once. `uncertain`: the database failed while it stored the
 * acknowledgement. With a lifeboat that is afloat, another node may have the page.
 */
export function sendAcknowledgeAway(
  request: FastifyRequest,
  reply: FastifyReply,
  uncertain: boolean,
): FastifyReply {
  // The person's language is in the database.
  return inLanguage(languageOfBrowser(request), () => send(request, reply, uncertain));
}

function send(request: FastifyRequest, reply: FastifyReply, uncertain: boolean): FastifyReply {
  reply.code(503).header('retry-after', String(AGAIN_AFTER));
  if (request.method !== 'POST') {
    const { head, headers } = reloadAfter(AGAIN_AFTER);
    return reply.headers(headers).send(openedView(waitsIn(request), head));
  }
  const { answer, tries } = (request.body ?? {}) as { answer?: unknown; tries?: unknown };
  const tried = /^\d{1,3}$/.test(String(tries)) ? Number(tries) : 0;
  const script = tried < MOST_TRIES ? SEND_AGAIN : '';
  const name = typeof answer === 'string' ? answer.slice(0, 64) : '';
  return reply
    .headers(headersWithScript(script))
    .send(pressedView({ name, tried, script, uncertain, waits: waitsIn(request) }));
}

/** Every answer of a link, errors and JSON included, is about this moment and only for the person who has the link. */
export async function keepOutOfCaches(_: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.header('cache-control', 'no-store');
}

/** The acknowledge link of a process that is not connected to its database yet. */
export function acknowledgeAwayRoutes(listener: FastifyInstance): void {
  listener.route({
    method: ['GET', 'POST'],
    url: '/a/:token',
    config: { forms: true },
    schema: { hide: true },
    onRequest: keepOutOfCaches,
    handler: async (request, reply) => {
      if (isOpenedByPerson(request)) return sendAcknowledgeAway(request, reply, false);
      throw new NotConnected();
    },
  });
}

function waitsIn({ isAfloat }: FastifyRequest): string {
  return isAfloat
    ? t(
        'This node accepts pages in its lifeboat meanwhile, but does not have this one. If another node has it, the page continues to escalate there, and the next try may reach that node. Otherwise it continues as soon as the database is back. If it cannot wait, phone the people concerned.',
      )
    : t(
        'The page is not lost: unless somebody else has answered it, it continues to escalate as soon as the database is back. If it cannot wait, phone the people concerned.',
      );
}

function openedView(waits: string, head: string): string {
  const again = t('Retries automatically every {seconds} seconds.', { seconds: AGAIN_AFTER });
  const text = `${t('Nothing was acknowledged.')} ${waits}`;
  return awayView(
    t('Tocsin cannot reach its database at the moment.'),
    `<p>${escapeHtml(text)}</p><form method="get">${tryAgain()}</form><p class="muted">${escapeHtml(again)}</p>`,
    head,
  );
}

function awayView(heading: string, body: string, head = ''): string {
  const state = t('Not acknowledged');
  return plainPage(
    state,
    `<p class="state">${escapeHtml(state)}</p><h1>${escapeHtml(heading)}</h1>${body}`,
    head,
    locale(),
  );
}

function tryAgain(): string {
  return `<button type="submit">${escapeHtml(t('Try again'))}</button>`;
}

type Pressed = { name: string; tried: number; script: string; uncertain: boolean; waits: string };

function pressedView({ name, tried, script, uncertain, waits }: Pressed): string {
  const heading = uncertain
    ? t('Your acknowledgement may not have been stored.')
    : t('Your acknowledgement was not stored.');
  const meanwhile = script
    ? t(
        'Keep this page open: it repeats your acknowledgement every {seconds} seconds, and it counts only once.',
        {
          seconds: AGAIN_AFTER,
        },
      )
    : t('Automatic retries have ended. Press the button to try again.');
  const text = `${t('Tocsin cannot reach its database at the moment.')} ${waits}`;
  return awayView(
    heading,
    `<p>${escapeHtml(text)}</p><form method="post"><input type="hidden" name="answer" value="${escapeHtml(name)}"><input type="hidden" name="tries" value="${script ? tried + 1 : 0}">${tryAgain()}</form><p class="muted">${escapeHtml(meanwhile)}</p>${script && `<script>${script}</script>`}`,
  );
}
