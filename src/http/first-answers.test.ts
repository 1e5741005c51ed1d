import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fastify, { type FastifyReply } from 'fastify';
import { firstAnswers } from './first-answers.ts';
import type { FirstAnswers } from './first-answers-contract.ts';

const SESSION = { user: { language: 'de' }, second_factor_missing: false };
const ELEMENT = /^<script type="application\/json" id="first-answers">([^<]*)<\/script>$/;

type Answers = (url: string, reply: FastifyReply) => unknown;

/** The element that a document of this path gets, from an API that answers like this. */
async function elementFor(path: string, answers: Answers, headers = {}): Promise<string> {
  const listener = fastify();
  listener.get('/api/*', async ({ url }, reply) => answers(url, reply));
  listener.get('/*', async (request) => firstAnswers(listener, request));
  const { body } = await listener.inject({ url: path, headers: { cookie: 'tocsin=secret', ...headers } });
  await listener.close();
  return body;
}

function read(element: string): FirstAnswers {
  const [, text = ''] = ELEMENT.exec(element) ?? [];
  return JSON.parse(text) as FirstAnswers;
}

const signedIn: Answers = (url) => (url === '/api/session' ? SESSION : { of: url });

describe('the first answers', () => {
  it('are those of the routes of the view, in the language of the viewer', async () => {
    const { language, answers } = read(await elementFor('/?from=mail', signedIn));
    assert.equal(language, 'de');
    assert.deepEqual(answers['/api/session'], SESSION);
    assert.deepEqual(answers['/api/on-call'], { of: '/api/on-call' });
    assert.equal(read(await elementFor('/profile', signedIn)).answers['/api/on-call'], undefined);
    const one = read(await elementFor('/schedules/schedule_1?view=day', signedIn)).answers;
    assert.deepEqual(one['/api/schedules/schedule_1'], { of: '/api/schedules/schedule_1' });
  });

  it('are none without a session, and none for a program', async () => {
    const noSession: Answers = (_url, reply) => reply.code(401).send({ details: [] });
    assert.equal(await elementFor('/', noSession), '');
    assert.equal(await elementFor('/', signedIn, { authorization: 'Bearer key' }), '');
    assert.equal(await elementFor('/', signedIn, { cookie: '' }), '');
  });

  it('are only the session while a second factor is missing', async () => {
    const missing: Answers = () => ({ ...SESSION, second_factor_missing: true });
    assert.deepEqual(Object.keys(read(await elementFor('/', missing)).answers), ['/api/session']);
  });

  it('cannot end their element', async () => {
    const hostile = '</script><script>alert(1)</script><!--';
    const said = await elementFor('/', (url) => (url === '/api/session' ? SESSION : { title: hostile }));
    assert.match(said, ELEMENT);
    assert.deepEqual(read(said).answers['/api/people'], { title: hostile });
  });

  it('leave out what fails, what is long, and what takes longer than a second', async () => {
    const never = new Promise(() => undefined);
    const { answers } = read(
      await elementFor('/', (url, reply) => {
        if (url === '/api/people') return never;
        if (url === '/api/notices') return { text: 'a'.repeat(256 * 1024) };
        if (url === '/api/problems') return reply.code(503).send({});
        return signedIn(url, reply);
      }),
    );
    assert.deepEqual(
      ['/api/people', '/api/notices', '/api/problems', '/api/on-call'].map((url) => url in answers),
      [false, false, false, true],
    );
    assert.equal(await elementFor('/', () => never), '');
  });
});
