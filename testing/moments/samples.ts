import assert from 'node:assert/strict';
import type { MomentEvent } from '../../src/moments/event.ts';
import { eventsOf, readBody, samplesOf } from '../../src/moments/integrations/adapter.contract.ts';
import type { Adapter, AdapterInput, AdapterResult } from '../../src/moments/integrations/adapter.ts';

/**
 * Values by path, as in `{ 'event.data.urgency': 'low' }`, or `/a.b/c` where names contain dots; undefined removes a
 * value.
 */
export type Changes = Readonly<Record<string, unknown>>;

type Call = Partial<Omit<AdapterInput, 'body'>>;

/** The samples of one integration, unchanged or with some values changed. */
export function samplesIn(integration: string, adapter: Adapter) {
  const samples = samplesOf(integration);

  function body(name: string, changes: Changes = {}): string {
    const text = samples.get(name)?.toString();
    assert.ok(text, `there is no sample ${name}`);
    const places = Object.entries(changes);
    if (places.length === 0) return text;
    const whole: unknown = JSON.parse(text);
    for (const [place, value] of places) put(whole, steps(place), value);
    return JSON.stringify(whole);
  }

  return {
    body,
    result: (name: string, changes?: Changes, call?: Call): AdapterResult =>
      readBody(adapter, body(name, changes), call),
    /** The only event of the sample. */
    sample(name: string, changes?: Changes, call?: Call): MomentEvent {
      const [event, ...others] = eventsOf(adapter, body(name, changes), call);
      assert.ok(event && others.length === 0, `one event is expected of ${name}`);
      return event;
    },
  };
}

function steps(place: string): string[] {
  return place.startsWith('/') ? place.slice(1).split('/') : place.split('.');
}

function put(whole: unknown, [name, ...rest]: readonly string[], value: unknown): void {
  assert.ok(typeof whole === 'object' && whole !== null && name !== undefined);
  const fields = whole as Record<string, unknown>;
  if (rest.length > 0) put(fields[name], rest, value);
  else if (value === undefined) delete fields[name];
  else fields[name] = value;
}
