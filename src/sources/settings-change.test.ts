import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import type { SettingsChange, SourceRule, SourceSettings } from './contract.ts';
import { changedSettings, replacedBy } from './settings-change.ts';

const values = {
  wait_minutes: fc.nat(10),
  on_resolve: fc.constantFrom('resolve' as const, 'keep' as const),
  record_moments: fc.boolean(),
  rules: fc.constantFrom<SourceRule[]>([], [{ match: ['a=b'], then: { ignore: true } }]),
};
const settings: fc.Arbitrary<SourceSettings> = fc.record(values, { requiredKeys: [], noNullPrototype: true });
const change: fc.Arbitrary<SettingsChange> = fc.record(
  {
    wait_minutes: fc.option(values.wait_minutes),
    on_resolve: fc.option(values.on_resolve),
    record_moments: fc.option(values.record_moments),
    rules: fc.option(values.rules),
  },
  { requiredKeys: [], noNullPrototype: true },
);
const names = Object.keys(values) as (keyof typeof values)[];

it('a change sets its values, removes nulls, and keeps everything else', () => {
  fc.assert(
    fc.property(settings, change, (before, given) => {
      const after = changedSettings(before, given);
      for (const name of names)
        assert.deepEqual(after[name], Object.hasOwn(given, name) ? (given[name] ?? undefined) : before[name]);
      assert.equal(Object.values(after).includes(null as never), false);
    }),
  );
});

it('changes of different settings give the same result in either order', () => {
  fc.assert(
    fc.property(settings, change, (before, given) => {
      const { rules, ...others } = given;
      const one: SettingsChange = rules === undefined ? {} : { rules };
      assert.deepEqual(
        changedSettings(changedSettings(before, one), others),
        changedSettings(changedSettings(before, others), one),
      );
    }),
  );
});

it('a replacement keeps none of the earlier settings', () => {
  fc.assert(
    fc.property(settings, settings, (before, after) => {
      assert.deepEqual(changedSettings(before, replacedBy(before, after)), after);
    }),
  );
});
