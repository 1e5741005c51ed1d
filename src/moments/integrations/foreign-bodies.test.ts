import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readBody, samplesOf } from './adapter.contract.ts';
import { adapterFor, INTEGRATIONS } from './registry.ts';

/** Integrations with the same format. */
const KIN: readonly (readonly string[])[] = [
  ['alertmanager', 'grafana'],
  ['better-stack', 'statuspage'],
  ['icinga2', 'nagios'],
];

function areKin(a: string, b: string): boolean {
  return KIN.some((family) => family.includes(a) && family.includes(b));
}

describe('a body of another vendor', () => {
  for (const integration of INTEGRATIONS)
    it(`is not a moment for ${integration}, and the call gives the reason`, () => {
      const adapter = adapterFor(integration);
      assert.ok(adapter);
      for (const other of INTEGRATIONS.filter((one) => one !== integration && !areKin(one, integration)))
        for (const [name, body] of samplesOf(other)) {
          const result = readBody(adapter, body);
          assert.ok('error' in result, `${other}-${name}: ${JSON.stringify(result).slice(0, 300)}`);
        }
    });
});
