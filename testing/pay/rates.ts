import type { Rates } from '../../src/pay/contract.ts';
import type { PayTable } from '../../src/pay/eras.ts';

/** Rates with round figures: standby 2.50, night 3, weekend 4, holiday 6.25; called out 30, 40, 50, 60. */
export function ratesWith({
  called_out,
  ...more
}: Partial<Omit<Rates, 'called_out'>> & { called_out?: Partial<Rates['called_out']> } = {}): Rates {
  return {
    on_call: { standby: '2.50', night: '3', weekend: '4.00', holiday: '6.25' },
    called_out: {
      ...{ standby: '30', night: '40', weekend: '50', holiday: '60' },
      ...{ minimum_minutes: 60, step_minutes: 15, longest_hours: 12, on_call: 'replaced' },
      ...called_out,
    },
    overlap: 'highest',
    night: { from: '22:00', to: '06:00' },
    weekend: ['sat', 'sun'],
    working_hours: [],
    ...more,
  };
}

export function tableWith(more: Partial<PayTable> = {}): PayTable {
  return {
    ...{ id: 'de', name: 'Germany', currency: 'EUR', timeZone: 'Europe/Berlin', isDefault: true },
    versions: [{ from: '2020-01-01', until: null, rates: ratesWith() }],
    holidays: new Set(),
    ...more,
  };
}
