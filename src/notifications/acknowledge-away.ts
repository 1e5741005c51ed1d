import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { NotConnected } from '../db/away.ts';
import { isOpenedByPerson } from '../kit/opened-by-person.ts';
import { escapeHtml, headersWithScript, plainPage, reloadAfter } from '../kit/plain-page.ts';

/** Seconds until the link is tried again by itself. */
const AGAIN_AFTER = 5;
/** Automatic tries of a pressed button; five minutes. Afterwards the person has to press again. */
const MOST_TRIES = 60;

const SEND_AGAIN = `setTimeout(function () { document.forms[0].submit() }, ${AGAIN_AFTER * 1_000})`;

/**
 * What an acknowledge link shows while the database is away, with status 503. An opened link is loaded again, a pressed
 * button is sent again with the same answer, which counts once. `uncertain`: the database failed while it stored the
 * acknowledgement. With a lifeboat that is afloat, another node may have the page.
 */
export function sendAcknowledgeAway(
  request: FastifyRequest,
  reply: FastifyReply,
  uncertain: boolean,
): FastifyReply {
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

/** The acknowledge link of a process that is not connected to its database yet. */
export function acknowledgeAwayRoutes(listener: FastifyInstance): void {
  listener.route({
    method: ['GET', 'POST'],
    url: '/a/:token',
    config: { forms: true },
    schema: { hide: true },
    handler: async (request, reply) => {
      if (isOpenedByPerson(request)) return sendAcknowledgeAway(request, reply, false);
      throw new NotConnected();
    },
  });
}

const PHONE = 'Phone the people concerned if it cannot wait.';
const WAITS = `The page is not lost: unless somebody else has answered it, it goes on escalating as soon as the database is back. ${PHONE}`;
const MAY_BE_ELSEWHERE = `This node takes pages in its lifeboat meanwhile, but does not have this one. If another node has it, it goes on escalating there, and the next try may reach that node. Otherwise it goes on as soon as the database is back. ${PHONE}`;

function waitsIn({ isAfloat }: FastifyRequest): string {
  return isAfloat ? MAY_BE_ELSEWHERE : WAITS;
}

function openedView(waits: string, head: string): string {
  return plainPage(
    'Not acknowledged',
    `<p class="state">Not acknowledged</p><h1>Tocsin cannot reach its database just now.</h1><p>Nothing was acknowledged. ${waits}</p><form method="get"><button type="submit">Try again</button></form><p class="muted">Tries again by itself every ${AGAIN_AFTER} seconds.</p>`,
    head,
  );
}

type Pressed = { name: string; tried: number; script: string; uncertain: boolean; waits: string };

function pressedView({ name, tried, script, uncertain, waits }: Pressed): string {
  const heading = uncertain
    ? 'It is not certain that your acknowledgement was stored.'
    : 'Your acknowledgement was not stored.';
  const meanwhile = script
    ? `Keep this page open: it sends your acknowledgement again every ${AGAIN_AFTER} seconds. It counts once.`
    : 'It is no longer sent again by itself. Press the button to try again.';
  return plainPage(
    'Not acknowledged',
    `<p class="state">Not acknowledged</p><h1>${heading}</h1><p>Tocsin cannot reach its database just now. ${waits}</p><form method="post"><input type="hidden" name="answer" value="${escapeHtml(name)}"><input type="hidden" name="tries" value="${script ? tried + 1 : 0}"><button type="submit">Try again</button></form><p class="muted">${meanwhile}</p>${script && `<script>${script}</script>`}`,
  );
}
