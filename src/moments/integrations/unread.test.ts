import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inLanguage } from '../../language/ambient.ts';
import { LANGUAGES } from '../../language/contract.ts';
import { storedText } from '../../language/stored.ts';
import { samplesOf } from './adapter.contract.ts';
import { API_FORM, INTEGRATIONS, readerFor } from './registry.ts';

const AT = Temporal.Instant.from('2027-03-01T10:00:00Z');
const DIALECTS = ['goalert', 'grafana-oncall', 'opsgenie-api', 'pagerduty-events', 'victorops'];
const TYPES = [API_FORM, ...INTEGRATIONS, ...DIALECTS];
/** Words of the English reasons that no other language has. */
const ENGLISH = /\b(the|has|have|nor|neither|with|expected|recorded|missing|give|which|here)\b/i;

/** The reasons of an integration for bodies that are not its notifications, and for its samples without a field or two. */
function reasonsOf(type: string): Set<string> {
  const reasons = new Set<string>();
  const read = (body: Buffer | string, headers: Record<string, string> = {}) => {
    const given = { headers, body: Buffer.from(body), settings: {}, receivedAt: AT };
    const result = readerFor(type)?.read(given) ?? assert.fail(type);
    if ('error' in result) reasons.add(result.error);
  };
  const call = (path: string, body: string) => JSON.stringify({ method: 'POST', path, query: {}, body });
  for (const body of ['', 'EHLO', '[1]', '{}', '{"name":5}', '['.repeat(300), Buffer.from([255, 254])]) {
    read(body);
    for (const path of ['/v1/api/alerts', '/api/v2/site24x7/incoming', '/api/v2/generic/incoming'])
      read(call(path, body.toString()));
  }
  for (const text of samplesOf(type).values()) for (const less of lesser(text.toString())) read(less);
  return reasons;
}

/** A body without each of its fields, two levels deep, and with each as a text that nobody knows. */
function lesser(text: string): string[] {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return [];
  }
  const without = (value: unknown, depth: number): unknown[] => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return ['unknown'];
    return Object.entries(value).flatMap(([name, inner]) => {
      const { [name]: _, ...rest } = value as Record<string, unknown>;
      const deeper = depth > 0 ? without(inner, depth - 1) : ['unknown'];
      return [rest, ...deeper.map((less) => ({ ...rest, [name]: less }))];
    });
  };
  return without(body, 2).map((less) => JSON.stringify(less));
}

describe('why a call cannot be read', () => {
  for (const type of TYPES)
    it(`is said in every language, for ${type}`, () => {
      const reasons = reasonsOf(type);
      assert.ok(reasons.size > 0, 'some body cannot be read');
      for (const reason of reasons)
        for (const language of LANGUAGES.filter((one) => one !== 'en')) {
          const said = inLanguage(language, () => storedText(reason));
          // What the sender wrote stays as it is.
          const words = said.replace(/["„“«»「」][^"„“«»「」]*["„“«»「」]/g, '');
          assert.doesNotMatch(words, ENGLISH, `${language}: ${reason}`);
          assert.notEqual(said, reason, language);
        }
    });

  it('names the fields of our own forms, one after the other', () => {
    const reason =
      'name is empty; give a text of 1 to 200 characters. type is missing; give one of alert, incident.';
    assert.equal(
      inLanguage('de', () => storedText(reason)),
      'name ist leer; gib einen Text mit 1 bis 200 Zeichen an. type fehlt; gib einen der Werte alert, incident an.',
    );
    assert.equal(
      inLanguage('ja', () => storedText(reason)),
      'nameが空です。1〜200文字のテキストを指定してください。 typeが指定されていません。alert, incidentのいずれかを指定してください。',
    );
  });
});
