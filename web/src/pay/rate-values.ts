import { locale } from '../../../src/language/contract.ts';
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

/** The rates as people of the reader's language write numbers: `2,50` in German. */
export function asWritten(rates: Rates): Rates {
  const { decimal } = signs();
  return mapRates(rates, (rate) => rate.replace('.', decimal));
}

function mapRates(rates: Rates, each: (rate: string) => string): Rates {
  const classes = <Of extends object>(of: Of): Of => ({
    ...of,
    ...Object.fromEntries(
      HOUR_CLASSES.map((name) => [name, each((of as Record<string, string>)[name] ?? '')]),
    ),
  });
  return {
    ...rates,
    on_call: classes(rates.on_call),
    called_out: classes(rates.called_out),
    ...(rates.stages
      ? { stages: rates.stages.map((one) => ({ ...one, on_call: classes(one.on_call) })) }
      : {}),
  };
}

function withPoints(name: string, value: unknown): unknown {
  if (name === 'stages')
    return (value as NonNullable<Rates['stages']>).map((one) => ({
      ...one,
      on_call: Object.fromEntries(Object.entries(one.on_call).map(([of, rate]) => [of, withPoint(rate)])),
    }));
  const isRate = HOUR_CLASSES.some((of) => name === `on_call.${of}` || name === `called_out.${of}`);
  return isRate ? withPoint(String(value)) : value;
}

/**
 * A number as the API takes it. Thousands may be separated as in the reader's language: `1,200` is 1200 in English, and 1.2 in
 * German. Else a comma is a decimal point, as people of some countries write it.
 */
function withPoint(rate: string): string {
  const { decimal, group } = signs();
  const text = rate.replace(/\s/g, '');
  const [whole = '', ...rest] = text.split(decimal);
  const groups = whole.split(group);
  const isGrouped =
    groups.length > 1 && groups.every((one, at) => (at === 0 ? /^\d{1,3}$/ : /^\d{3}$/).test(one));
  return (isGrouped ? [groups.join(''), ...rest].join('.') : text.replace(',', '.')) || '0';
}

/** The decimal sign and the separator of thousands of the reader's language. */
function signs(): { decimal: string; group: string } {
  const parts = new Intl.NumberFormat(locale()).formatToParts(1_234_567.5);
  const sign = (type: 'decimal' | 'group') => parts.find((part) => part.type === type)?.value ?? '';
  return { decimal: sign('decimal'), group: sign('group') };
}
