import { HOUR_CLASSES, type Rates, type RatesChange } from '../../../src/pay/contract.ts';

const GROUPS = ['on_call', 'called_out', 'night'] as const;

/** The rates of a form, each a field of its own such as `on_call.standby`, so that saving sends single rates. */
export type RateValues = { until: string } & Record<string, unknown>;

export function valuesOf(until: string | null, rates: Rates): RateValues {
  const { on_call, called_out, night, ...others } = rates;
  const groups = Object.entries({ on_call, called_out, night }).flatMap(([group, fields]) =>
    Object.entries(fields).map(([name, value]) => [`${group}.${name}`, value]),
  );
  return { stages: [], ...others, ...Object.fromEntries(groups), until: until ?? '' };
}

/** All rates, as they were entered. */
export function ratesOf(values: RateValues): Rates {
  return joined(values) as Rates;
}

/** What saving sends for these fields. */
export function sentOf({ until, ...values }: Partial<RateValues>): {
  until?: string | null;
  rates: RatesChange;
} {
  const entered = Object.entries(values).map(([name, value]) => [name, withPoints(name, value)]);
  return {
    ...(until === undefined ? {} : { until: until || null }),
    rates: joined(Object.fromEntries(entered)),
  };
}

function joined({ until, ...values }: Partial<RateValues>): RatesChange {
  const rates: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) {
    const group = GROUPS.find((one) => name.startsWith(`${one}.`));
    if (!group) rates[name] = value;
    else rates[group] = { ...(rates[group] as object), [name.slice(group.length + 1)]: value };
  }
  return rates as RatesChange;
}

/** People of some countries write a comma. */
function withPoints(name: string, value: unknown): unknown {
  if (name === 'stages')
    return (value as NonNullable<Rates['stages']>).map((one) => ({
      ...one,
      on_call: Object.fromEntries(Object.entries(one.on_call).map(([of, rate]) => [of, withPoint(rate)])),
    }));
  const isRate = HOUR_CLASSES.some((of) => name === `on_call.${of}` || name === `called_out.${of}`);
  return isRate ? withPoint(String(value)) : value;
}

function withPoint(rate: string): string {
  return rate.trim().replace(',', '.') || '0';
}
